#pragma once

#include "kbuild/model/sdk.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kbuild::toolchain {

/// The folder of fetched SDKs, `$XDG_DATA_HOME/kbuild/toolchains` by default. Each SDK is a folder
/// with a manifest `sdk.json` that is written last; a folder without one is a leftover and is swept
/// by the next add.
class Store {
  public:
    explicit Store(std::filesystem::path root);
    static Store at_default_place();

    const std::filesystem::path& root() const { return root_; }

    /// All complete SDKs, sorted by version. An unreadable manifest is skipped and named in
    /// `problems`.
    std::vector<model::RocmSdk> rocm_sdks(std::vector<std::string>* problems = nullptr) const;
    std::vector<model::TorchSdk> torch_sdks(std::vector<std::string>* problems = nullptr) const;

  private:
    std::filesystem::path root_;
};

} // namespace kbuild::toolchain
