#include "kbuild/build/identity.hpp"

#include "kbuild/git/repository.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"

#include <fmt/format.h>

#include <set>

namespace kbuild::build {
namespace {

namespace fs = std::filesystem;
using support::Result;

/// The files whose content names a build outside git: not the kernels, which do not hold the name,
/// so that an edited kernel leaves the bindings as they are.
Result<std::set<fs::path>> naming_files(const fs::path& root, const config::BuildConfig& config) {
    std::set<fs::path> files{"build.toml"};
    for (const auto& entry : config.framework.src)
        files.insert(entry.value);
    const auto package = fs::path("torch-ext") / config.general.name.value.module();
    KB_TRY_ASSIGN(python, support::list_files(root / package));
    for (const auto& file : python)
        files.insert(package / file);
    return files;
}

Result<std::string> content_id(const fs::path& root, const config::BuildConfig& config) {
    KB_TRY_ASSIGN(files, naming_files(root, config));
    support::Fingerprint fingerprint;
    for (const auto& file : files) {
        KB_TRY_ASSIGN(digest, support::sha256_file(root / file));
        fingerprint.add(file.string(), support::to_hex(digest));
    }
    return fingerprint.hex().substr(0, 13);
}

} // namespace

Result<std::set<fs::path>> input_files(const fs::path& root, const config::BuildConfig& config) {
    KB_TRY_ASSIGN(files, naming_files(root, config));
    for (const auto& kernel : config.kernels)
        for (const auto& entry : kernel.src)
            files.insert(entry.value);
    return files;
}

Result<Identity> identify(const fs::path& root, const config::BuildConfig& config) {
    const auto state = git::head_state(root);
    Identity identity;
    if (state && *state) {
        identity.unique_id = git::unique_id(*state, {});
        identity.commit = layout::CommitState{(*state)->commit, (*state)->dirty};
        return identity;
    }
    if (!state)
        identity.doubt =
            fmt::format("{}; the variants are named by their content and record no commit",
                        state.error().message);
    KB_TRY_ASSIGN(id, content_id(root, config));
    identity.unique_id = std::move(id);
    return identity;
}

} // namespace kbuild::build
