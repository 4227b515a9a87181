#pragma once

#include <string_view>

namespace kbuild::toolchain {

/// What this machine's architecture is called, and how its programs start.
struct HostArchitecture {
    std::string_view debian; ///< apt's name
    std::string_view triple; ///< of library folders
    std::string_view loader; ///< the dynamic loader, below a root
    std::string_view trap;   ///< an assembler line that stops a program
};

constexpr HostArchitecture host_architecture() {
#if defined(__aarch64__)
    return {"arm64", "aarch64-linux-gnu", "usr/lib/ld-linux-aarch64.so.1", ".long 0"};
#else
    return {"amd64", "x86_64-linux-gnu", "usr/lib64/ld-linux-x86-64.so.2", ".byte 0x0f, 0x0b"};
#endif
}

} // namespace kbuild::toolchain
