#pragma once

#include "kbuild/support/result.hpp"

#include <filesystem>
#include <string_view>

namespace kbuild::support {

/// A folder that is removed with its contents when the value dies, unless keep() was called.
class TempDir {
  public:
    /// Creates `<parent>/<prefix>XXXXXX`; `parent` is created if needed.
    static Result<TempDir> create(const std::filesystem::path& parent, std::string_view prefix);

    /// The same in the system's folder for temporary files (`TMPDIR`); fails if that is not there.
    static Result<TempDir> create_temporary(std::string_view prefix);

    TempDir(TempDir&& other) noexcept;
    TempDir& operator=(TempDir&& other) noexcept;
    TempDir(const TempDir&) = delete;
    TempDir& operator=(const TempDir&) = delete;
    ~TempDir();

    const std::filesystem::path& path() const { return path_; }

    /// From now on the folder stays; returns its path.
    std::filesystem::path keep();

  private:
    explicit TempDir(std::filesystem::path path) : path_(std::move(path)) {}
    std::filesystem::path path_;
};

} // namespace kbuild::support
