#include "runtime/source_lines.hpp"

#include <elfutils/libdw.h>
#include <fmt/format.h>
#include <gelf.h>

namespace kbuild::emulator {
namespace {

/// libdw's handle on an ELF file in memory, closed at the end.
struct LineTables {
    Elf* elf = nullptr;
    Dwarf* dwarf = nullptr;

    explicit LineTables(const std::string& file) {
        elf_version(EV_CURRENT);
        // libelf writes nothing to what it reads from memory.
        elf = elf_memory(const_cast<char*>(file.data()), file.size());
        dwarf = elf == nullptr ? nullptr : dwarf_begin_elf(elf, DWARF_C_READ, nullptr);
    }
    ~LineTables() {
        dwarf_end(dwarf);
        elf_end(elf);
    }
    LineTables(const LineTables&) = delete;
    LineTables& operator=(const LineTables&) = delete;
};

/// The line of `address` in one compile unit. There is no table of address ranges to find the unit
/// by, so all are asked.
std::string line_in_unit(Dwarf_Die& unit, std::uint64_t address) {
    Dwarf_Line* const line = dwarf_getsrc_die(&unit, address);
    int number = 0;
    const char* const file = line == nullptr ? nullptr : dwarf_linesrc(line, nullptr, nullptr);
    if (file == nullptr || dwarf_lineno(line, &number) != 0 || number == 0)
        return {};
    return fmt::format("{}:{}", file, number);
}

} // namespace

std::string source_line(const Module& module, std::uint64_t offset) {
    const LineTables tables(module.file());
    Dwarf_Off next = 0;
    std::size_t header = 0;
    for (Dwarf_Off at = 0;
         tables.dwarf != nullptr &&
         dwarf_nextcu(tables.dwarf, at, &next, &header, nullptr, nullptr, nullptr) == 0;
         at = next) {
        Dwarf_Die unit;
        if (dwarf_offdie(tables.dwarf, at + header, &unit) == nullptr)
            continue;
        if (const std::string line = line_in_unit(unit, offset); !line.empty())
            return line;
    }
    return {};
}

} // namespace kbuild::emulator
