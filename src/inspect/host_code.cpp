#include "kbuild/inspect/host_code.hpp"

#include <algorithm>
#include <string_view>

namespace kbuild::inspect {
namespace {

constexpr std::string_view kModuleInit = "PyInit_";

/// The constructor of torch::Library, and what the stable ABI's registration calls.
bool registers_operators(const elf::Symbol& symbol) {
    return !symbol.defined && (symbol.name.starts_with("_ZN5torch7LibraryC") ||
                               symbol.name.starts_with("aoti_torch_library_init_") ||
                               symbol.name.starts_with("torch_library_init_"));
}

template <typename T> void sort_and_unite(std::vector<T>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

void add_defined(const elf::Symbol& symbol, HostCode& host) {
    host.exported.push_back(symbol.name);
    if (symbol.unique)
        host.unique.push_back(symbol.name);
    if (symbol.name.starts_with(kModuleInit))
        host.python_module = symbol.name.substr(kModuleInit.size());
}

} // namespace

HostCode host_code(const elf::ElfFile& file) {
    HostCode host;
    host.soname = file.soname;
    host.needed = file.needed;
    host.run_paths = file.run_paths;
    bool registers = false;
    for (const auto& symbol : file.symbols) {
        registers = registers || registers_operators(symbol);
        if (symbol.defined)
            add_defined(symbol, host);
        else if (!symbol.version.empty())
            host.versions.push_back({symbol.version_library, symbol.version});
    }
    sort_and_unite(host.versions);
    sort_and_unite(host.exported);
    sort_and_unite(host.unique);
    if (registers)
        host.op_namespace = host.python_module;
    for (const auto& section : file.sections)
        host.sections.push_back({section.name, section.size});
    return host;
}

} // namespace kbuild::inspect
