#pragma once

#include "kbuild/support/result.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace kbuild::portable {

/// The libraries that a compiler links by itself.
struct HostLibraries {
    std::map<std::string, std::filesystem::path> shared; ///< by SONAME
    std::filesystem::path libstdcxx_archive;             ///< libstdc++.a

    std::vector<std::filesystem::path> files() const; ///< all of them, in a fixed order
};

constexpr const char* kLibc = "libc.so.6";
constexpr const char* kLibstdcxx = "libstdc++.so.6";
constexpr const char* kLibgcc = "libgcc_s.so.1";

/// `ld-linux-x86-64.so.2`: it defines names such as `__tls_get_addr`.
std::string dynamic_loader();

/// SONAMEs of the stubs, in the order in which they are made.
std::vector<std::string> stub_sonames();

/// Asks the compiler where it looks for libraries. An Error of kind `toolchain` names the one that
/// is missing.
support::Result<HostLibraries> find_host_libraries(const std::filesystem::path& cxx);

} // namespace kbuild::portable
