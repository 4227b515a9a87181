#include "torch_symbols.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/hip_symbols.hpp"
#include "kbuild/toolchain/stub_library.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::toolchain {
namespace {

using support::ErrorKind;
using support::Result;
namespace fs = std::filesystem;

Result<std::vector<elf::Symbol>> read_exports(const fs::path& library) {
    KB_TRY_ASSIGN(file, elf::read_elf(library));
    return exported_symbols(file);
}

/// Names of a GPU library: of the ROCm one, else translated from the CUDA one.
Result<std::vector<elf::Symbol>> read_hip_exports(const fs::path& libraries,
                                                  const std::string& stem) {
    const auto hip = libraries / fmt::format("lib{}_hip.so", stem);
    if (support::is_file(hip))
        return read_exports(hip);
    const auto cuda = libraries / fmt::format("lib{}_cuda.so", stem);
    if (!support::is_file(cuda))
        return support::fail(
            ErrorKind::toolchain,
            fmt::format("this torch has neither `lib{0}_hip.so` nor `lib{0}_cuda.so`", stem));
    KB_TRY_ASSIGN(symbols, read_exports(cuda));
    return to_hip_symbols(std::move(symbols));
}

Result<void> write_library(const std::string& soname,
                           const std::vector<elf::Symbol>& exports,
                           const fs::path& stubs,
                           const fs::path& symbols) {
    std::string names;
    for (const auto& symbol : exports)
        names += symbol.name + "\n";
    KB_TRY(support::write_file_atomically(symbols / (soname + ".txt"), names));
    return make_stub_library(stubs / soname, soname, exports);
}

} // namespace

Result<bool> make_torch_stubs(const fs::path& libraries,
                              const fs::path& stubs,
                              const fs::path& symbols,
                              bool with_rocm) {
    bool cxx11_abi = false;
    for (const auto* name : {"libc10.so", "libtorch.so", "libtorch_cpu.so"}) {
        KB_TRY_ASSIGN(exports, read_exports(libraries / name));
        KB_TRY(write_library(name, exports, stubs, symbols));
        if (std::string_view(name) == "libc10.so")
            cxx11_abi = std::any_of(exports.begin(), exports.end(), [](const elf::Symbol& symbol) {
                return support::contains(symbol.name, "cxx11");
            });
    }
    for (const std::string stem : {"c10", "torch"}) {
        if (!with_rocm)
            break;
        KB_TRY_ASSIGN(exports, read_hip_exports(libraries, stem));
        KB_TRY(write_library(fmt::format("lib{}_hip.so", stem), exports, stubs, symbols));
    }
    return cxx11_abi;
}

} // namespace kbuild::toolchain
