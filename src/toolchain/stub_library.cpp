#include "kbuild/toolchain/stub_library.hpp"

#include "host_architecture.hpp"

#include "kbuild/process/runner.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

namespace kbuild::toolchain {
namespace {

using support::ErrorKind;
using support::Result;
namespace fs = std::filesystem;

enum class Place { code, data, thread_data };

Place place_of(const elf::Symbol& symbol) {
    if (symbol.thread_local_storage)
        return Place::thread_data;
    return symbol.object ? Place::data : Place::code;
}

std::string_view type_of(const elf::Symbol& symbol) {
    switch (place_of(symbol)) {
    case Place::code:
        return "%function";
    case Place::thread_data:
        return "%tls_object";
    case Place::data:
        break;
    }
    return symbol.unique ? "%gnu_unique_object" : "%object";
}

/// Names that cannot stand in the assembler's quotes are no names of C or C++.
bool is_writable_name(const std::string& name) {
    return !name.empty() && name.find_first_of("\"\\\n@") == std::string::npos;
}

/// Weak names become global ones: whoever links against a shared library cannot tell them apart,
/// but GNU ld looks for the strong alias of each weak name among all names of the same address,
/// which costs seconds a link with libtorch_cpu's 16,000.
void append_symbol(std::string& text, const elf::Symbol& symbol) {
    const bool unique = symbol.unique && !symbol.thread_local_storage;
    if (!unique)
        fmt::format_to(std::back_inserter(text), ".globl \"{}\"\n", symbol.name);
    fmt::format_to(std::back_inserter(text),
                   ".type \"{0}\", {1}\n.size \"{0}\", {2}\n\"{0}\":\n",
                   symbol.name,
                   type_of(symbol),
                   symbol.size);
}

void append_section(std::string& text,
                    std::string_view directive,
                    std::string_view content,
                    const std::vector<elf::Symbol>& symbols,
                    Place place) {
    text += directive;
    text += '\n';
    for (const auto& symbol : symbols)
        if (place_of(symbol) == place && is_writable_name(symbol.name))
            append_symbol(text, symbol);
    text += content;
    text += '\n';
}

/// A linker script that gives names their versions; empty if none has one.
std::string version_script(const std::vector<elf::Symbol>& symbols) {
    std::map<std::string, std::string> names;
    for (const auto& symbol : symbols)
        if (!symbol.version.empty() && is_writable_name(symbol.name))
            names[symbol.version] += fmt::format(" \"{}\";", symbol.name);
    std::string text;
    for (const auto& [version, list] : names)
        text += fmt::format("{} {{ global:{} }};\n", version, list);
    return text;
}

} // namespace

Result<std::string> host_c_compiler() {
    for (const auto* name : {"cc", "gcc", "clang", "clang-19"})
        if (const auto path = support::find_program(name))
            return path->string();
    return support::fail(
        ErrorKind::toolchain, "there is no C compiler (`cc`) on PATH", "apt-get install gcc");
}

std::vector<elf::Symbol> exported_symbols(const elf::ElfFile& file) {
    std::vector<elf::Symbol> symbols;
    for (const auto& symbol : file.symbols) {
        // Versions define absolute symbols of their own name (`hip_4.2`): no names to link with.
        if (!symbol.defined || symbol.name.empty() || symbol.name == symbol.version)
            continue;
        if (!symbols.empty() && symbols.back().name == symbol.name)
            continue;
        symbols.push_back(symbol);
        symbols.back().version.clear();
        symbols.back().version_library.clear();
    }
    return symbols;
}

std::string stub_assembly(const std::vector<elf::Symbol>& symbols) {
    std::string text;
    append_section(text, ".text", host_architecture().trap, symbols, Place::code);
    append_section(text, ".data", ".balign 64\n.zero 64", symbols, Place::data);
    append_section(text, ".section .tbss,\"awT\",%nobits", ".zero 64", symbols, Place::thread_data);
    return text + ".section .note.GNU-stack,\"\",%progbits\n";
}

Result<void> make_stub_library(const fs::path& output,
                               const std::string& soname,
                               const std::vector<elf::Symbol>& symbols) {
    KB_TRY_ASSIGN(compiler, host_c_compiler());
    KB_TRY(support::make_folder(output.parent_path()));
    KB_TRY_ASSIGN(scratch, support::TempDir::create(output.parent_path(), ".stub-"));
    const auto source = scratch.path() / "stub.s";
    KB_TRY(support::write_file_atomically(source, stub_assembly(symbols)));
    std::vector<std::string> arguments{"-shared",
                                       "-nostdlib",
                                       "-Wl,-soname," + soname,
                                       "-Wl,--hash-style=gnu",
                                       "-Wl,--build-id=none",
                                       "-o",
                                       output.string(),
                                       source.string()};
    if (const auto versions = version_script(symbols); !versions.empty()) {
        const auto script = scratch.path() / "versions.map";
        KB_TRY(support::write_file_atomically(script, versions));
        arguments.insert(arguments.end(),
                         {"-Xlinker", "--version-script", "-Xlinker", script.string()});
    }
    KB_TRY(process::run_ok({compiler, arguments, {}, process::clean_environment()},
                           ErrorKind::toolchain));
    return {};
}

} // namespace kbuild::toolchain
