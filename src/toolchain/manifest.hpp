#pragma once

#include "kbuild/model/sdk.hpp"
#include "kbuild/support/result.hpp"
#include "kbuild/toolchain/add.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kbuild::toolchain {

/// Name of the file that makes a folder of the store an SDK; written last.
constexpr std::string_view kManifestName = "sdk.json";

/// Raised when what `toolchain add` makes changes, so that SDKs of an older kbuild are made anew.
constexpr int kManifestFormat = 3;

/// How an SDK was made; for people, kbuild.lock and provenance.
struct Making {
    std::string source;  ///< `Debian forky`, `Python index`; never an address
    std::string summary; ///< one line for people
    std::vector<FetchedFile> files;
    std::vector<std::string> extra; ///< AddOptions::extra
};

/// Paths below `sdk.root` are written relative to it; `final_place` is where the folder will lie.
std::string write_manifest(const model::RocmSdk& sdk,
                           const Making& making,
                           const std::filesystem::path& final_place);
std::string write_manifest(const model::TorchSdk& sdk,
                           const Making& making,
                           const std::filesystem::path& final_place);

/// Reads `<folder>/sdk.json`. An Error of kind `toolchain` if it is damaged, of another format, or
/// if the folder was moved (a ROCm SDK's programs know their place).
support::Result<model::RocmSdk> read_rocm_manifest(const std::filesystem::path& folder);
support::Result<model::TorchSdk> read_torch_manifest(const std::filesystem::path& folder);

/// The extra libraries that the SDK in `folder` was made with; sorted.
std::vector<std::string> extra_libraries(const std::filesystem::path& folder);

/// The one-line summary of the SDK in `folder`; empty if there is none.
std::string read_summary(const std::filesystem::path& folder);

} // namespace kbuild::toolchain
