#include "kbuild/toolchain/hip_symbols.hpp"

#include "kbuild/support/strings.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace kbuild::toolchain {
namespace {

/// Class and enum names in their mangled form. Only one-to-one replacements of named types: a
/// handle that is a plain `void*` on one side would change the numbering of substitutions.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kTypes{{
    {"11CUstream_st", "12ihipStream_t"},
    {"10CUevent_st", "11ihipEvent_t"},
    {"10CUgraph_st", "8ihipGraph"},
    {"9cudaError", "10hipError_t"},
    {"14cudaDeviceProp", "20hipDeviceProp_tR0600"},
    {"21cudaStreamCaptureMode", "20hipStreamCaptureMode"},
}};

} // namespace

std::string to_hip_symbol(std::string name) {
    for (const auto& [cuda, hip] : kTypes)
        name = support::replace_all(std::move(name), cuda, hip);
    return name;
}

std::vector<elf::Symbol> to_hip_symbols(std::vector<elf::Symbol> symbols) {
    for (auto& symbol : symbols)
        symbol.name = to_hip_symbol(std::move(symbol.name));
    std::sort(symbols.begin(), symbols.end());
    const auto same = [](const elf::Symbol& a, const elf::Symbol& b) { return a.name == b.name; };
    symbols.erase(std::unique(symbols.begin(), symbols.end(), same), symbols.end());
    return symbols;
}

} // namespace kbuild::toolchain
