#include "kbuild/toolchain/store.hpp"

#include "manifest.hpp"
#include "problem.hpp"

#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"

#include <algorithm>

namespace kbuild::toolchain {
namespace {

template <typename Sdk>
std::vector<Sdk> read_all(const std::filesystem::path& root,
                          std::string_view prefix,
                          support::Result<Sdk> (*read)(const std::filesystem::path&),
                          std::vector<std::string>* problems) {
    std::vector<Sdk> sdks;
    const auto names = support::list_names(root);
    for (const auto& name : names.value_or(std::vector<std::string>())) {
        // A folder without a manifest is what a killed `toolchain add` left.
        if (!name.starts_with(prefix) || !support::is_file(root / name / kManifestName))
            continue;
        auto sdk = read(root / name);
        if (sdk)
            sdks.push_back(std::move(*sdk));
        else if (problems != nullptr)
            problems->push_back(to_problem(std::move(sdk.error())));
    }
    std::sort(
        sdks.begin(), sdks.end(), [](const Sdk& a, const Sdk& b) { return a.version < b.version; });
    return sdks;
}

} // namespace

Store::Store(std::filesystem::path root) : root_(std::move(root)) {}

Store Store::at_default_place() {
    return Store(support::data_home() / "toolchains");
}

std::vector<model::RocmSdk> Store::rocm_sdks(std::vector<std::string>* problems) const {
    return read_all(root_, "rocm-", read_rocm_manifest, problems);
}

std::vector<model::TorchSdk> Store::torch_sdks(std::vector<std::string>* problems) const {
    return read_all(root_, "torch-", read_torch_manifest, problems);
}

} // namespace kbuild::toolchain
