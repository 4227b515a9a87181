#pragma once

#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::publish {

/// The parts of a wheel's file name (https://packaging.python.org, binary distribution format).
struct WheelName {
    std::string distribution; ///< `my_kernel`
    std::string version;      ///< `1+torch213rocm72`
    std::string tag;          ///< `cp39-abi3-manylinux_2_28_x86_64`, `py3-none-any`

    std::string dist_info() const; ///< `my_kernel-1+torch213rocm72.dist-info`
    std::string file_name() const;
};

/// The oldest manylinux platform that has all of these symbol versions (`GLIBC_2.17`,
/// `GLIBCXX_3.4.21`, …); `linux_<cpu>` if none has.
std::string platform_tag(const std::vector<std::string>& symbol_versions, std::string_view cpu);

/// How the wheel of a variant is called; reads the versions that its libraries need.
support::Result<WheelName> wheel_name(const layout::FoundVariant& variant,
                                      const layout::Metadata& metadata);

/// Writes the wheel of a variant into `folder`, the same bytes for the same variant; the package in
/// it is called like the kernel's module. Returns its path.
support::Result<std::filesystem::path> write_wheel(const layout::FoundVariant& variant,
                                                   const std::filesystem::path& folder);

/// Unpacks the libraries (`*.so`, `*.so.1`) of any wheel into `folder`; their paths there, sorted.
/// An Error of kind `content` for what is no zip archive, or has names that lead out of it or more
/// than 16 GiB of libraries.
support::Result<std::vector<std::filesystem::path>>
unpack_libraries(const std::filesystem::path& wheel, const std::filesystem::path& folder);

} // namespace kbuild::publish
