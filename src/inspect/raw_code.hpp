#pragma once

#include "kbuild/support/result.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string_view>

namespace kbuild::inspect {

/// A file mapped into memory: what is not looked at is not read.
class MappedFile {
  public:
    /// Fails on anything but a regular file with bytes in it.
    static support::Result<std::shared_ptr<const MappedFile>>
    open(const std::filesystem::path& path);
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    std::string_view bytes() const { return {data_, size_}; }

  private:
    MappedFile(const char* data, std::size_t size) : data_(data), size_(size) {}
    const char* data_;
    std::size_t size_;
};

/// The part of a file that has device code.
struct RawCode {
    enum class Kind { none, object, bundles };
    Kind kind = Kind::none;
    std::string_view bytes; ///< into `file`
    std::shared_ptr<const MappedFile> file;
};

/// A bare code object, a file of bundles, or the `.hip_fatbin` section of a host file; `none` for
/// a host file without one. An Error for what is neither ELF nor bundles.
support::Result<RawCode> raw_code(const std::filesystem::path& path);

} // namespace kbuild::inspect
