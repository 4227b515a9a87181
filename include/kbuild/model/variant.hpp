#pragma once

#include "kbuild/model/backend.hpp"
#include "kbuild/model/version.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace kbuild::model {

/// One binary of the matrix, named as upstream names its folder (upstream.md 4.1):
/// `torch213-cxx11-rocm72-x86_64-linux`, `torch213-cxx11-cpu-x86_64-linux`.
struct Variant {
    enum class Framework { torch, torch_stable_abi, tvm_ffi, noarch };

    Framework framework = Framework::torch;
    Version
        framework_version; ///< torch, stable-ABI or tvm-ffi version (major.minor); empty for noarch
    std::optional<std::string> cxx_abi; ///< `cxx11`, `cxx98`; torch on Linux always has one
    Backend backend = Backend::cpu;
    Version backend_version; ///< `7.2` for rocm72; empty for cpu
    std::string cpu;         ///< `x86_64`, `aarch64`; empty for noarch
    std::string os;          ///< `linux`, `darwin`, `windows`; empty for noarch
    std::string noarch_name; ///< `rocm`, `universal`, … for noarch

    /// None if `name` is not of the grammar. Ambiguous digits are read as upstream's reader does:
    /// the torch major is one digit, the backend's minor is the last digit.
    static std::optional<Variant> parse(std::string_view name);
    std::string name() const;
    auto operator<=>(const Variant&) const = default;
};

/// `x86_64` or `aarch64`: the CPU that this program was built for.
std::string_view host_cpu();

} // namespace kbuild::model
