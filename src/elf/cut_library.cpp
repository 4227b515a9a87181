#include "kbuild/elf/cut_library.hpp"

#include "handle.hpp"
#include "name_table.hpp"

#include "kbuild/support/file.hpp"

#include <fmt/format.h>
#include <gelf.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fcntl.h>
#include <optional>
#include <vector>

namespace kbuild::elf {
namespace {

using support::ErrorKind;
using support::Result;
namespace fs = std::filesystem;

/// What a stub has of code and data, and aligns it to, in bytes; more is a library that does
/// something.
constexpr std::uint64_t kMostOfAStub = 65536;

/// The sections of a library that say what it exports.
struct Exports {
    GElf_Ehdr header{};
    std::vector<GElf_Shdr> sections; ///< by index
    std::size_t symbols = 0;         ///< index of .dynsym
    std::size_t strings = 0;         ///< index of .dynstr
    std::size_t dynamic = 0;         ///< index of .dynamic
    std::size_t hashes = 0;          ///< index of .gnu.hash
    std::size_t section_names = 0;   ///< index of .shstrtab
    std::string soname;
    bool plain = true; ///< a stub: nothing in it tells a linker more than names do
};

bool read_sections(Elf* elf, Exports& exports) {
    if (elf_getshdrstrndx(elf, &exports.section_names) != 0)
        return false;
    exports.sections.emplace_back(); // the first is nobody's
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
        GElf_Shdr shape{};
        if (gelf_getshdr(section, &shape) == nullptr)
            return false;
        if (shape.sh_type == SHT_DYNSYM) {
            exports.symbols = elf_ndxscn(section);
            exports.strings = shape.sh_link;
        } else if (shape.sh_type == SHT_DYNAMIC) {
            exports.dynamic = elf_ndxscn(section);
        } else if (shape.sh_type == SHT_GNU_HASH) {
            exports.hashes = elf_ndxscn(section);
        } else if (shape.sh_type == SHT_GNU_versym) {
            exports.plain = false;
        }
        if (shape.sh_addralign > kMostOfAStub ||
            (shape.sh_type == SHT_PROGBITS && shape.sh_size > kMostOfAStub))
            exports.plain = false;
        exports.sections.push_back(shape);
    }
    for (const auto index :
         {exports.symbols, exports.dynamic, exports.hashes, exports.section_names})
        if (index == 0 || elf_getdata(elf_getscn(elf, index), nullptr) == nullptr)
            return false;
    return true;
}

bool read_dynamic(Elf* elf, Exports& exports) {
    Elf_Data* const data = elf_getdata(elf_getscn(elf, exports.dynamic), nullptr);
    if (data == nullptr)
        return false;
    GElf_Dyn entry{};
    for (int index = 0; gelf_getdyn(data, index, &entry) != nullptr; ++index) {
        if (entry.d_tag == DT_NEEDED || entry.d_tag == DT_FLAGS_1)
            exports.plain = false;
        if (entry.d_tag != DT_SONAME)
            continue;
        const char* const name = elf_strptr(elf, exports.strings, entry.d_un.d_val);
        if (name == nullptr)
            return false;
        exports.soname = name;
    }
    exports.plain = exports.plain && !exports.soname.empty();
    return true;
}

std::optional<Exports> read_exports(Elf* elf) {
    Exports exports;
    if (elf == nullptr || elf_kind(elf) != ELF_K_ELF || gelf_getclass(elf) != ELFCLASS64 ||
        gelf_getehdr(elf, &exports.header) == nullptr || exports.header.e_type != ET_DYN ||
        exports.header.e_ident[EI_DATA] != ELFDATA2LSB || !read_sections(elf, exports) ||
        !read_dynamic(elf, exports))
        return std::nullopt;
    return exports;
}

/// A string table as it grows.
struct Strings {
    std::string bytes = std::string(1, '\0');

    std::uint32_t add(std::string_view text) {
        const auto at = bytes.size();
        bytes += text;
        bytes += '\0';
        return static_cast<std::uint32_t>(at);
    }
};

/// What is written in place of a library's own tables.
struct Tables {
    std::vector<Elf64_Sym> symbols = std::vector<Elf64_Sym>(1); // the first is nobody's
    Strings strings;
    std::array<Elf64_Dyn, 2> dynamic{}; // the last is the end
};

std::string_view bytes_of(const Elf_Data& data) {
    return {static_cast<const char*>(data.d_buf), data.d_size};
}

/// Numbers of the symbols that have one of the names, sorted: the linker's tables depend on their
/// order.
std::vector<int>
find_symbols(Elf* elf, const Exports& exports, const NameTable& table, const NameSet& names) {
    Elf_Data* const symbols = elf_getdata(elf_getscn(elf, exports.symbols), nullptr);
    std::vector<int> found;
    for (const auto& name : names)
        table.look_up(name, [&](std::size_t number) {
            GElf_Sym symbol{};
            const char* const text =
                gelf_getsym(symbols, static_cast<int>(number), &symbol) == nullptr
                    ? nullptr
                    : elf_strptr(elf, exports.strings, symbol.st_name);
            if (text == nullptr || text != name)
                return false;
            found.push_back(static_cast<int>(number));
            return true;
        });
    std::sort(found.begin(), found.end());
    return found;
}

/// Sizes and types of the symbols are as they were. Nothing for a library that uses names, which
/// are those before the first that has a hash, or has weak ones, of which linkers look for strong
/// aliases.
std::optional<Tables> cut_tables(Elf* elf, const Exports& exports, const NameSet& names) {
    const NameTable table(bytes_of(*elf_getdata(elf_getscn(elf, exports.hashes), nullptr)));
    if (table.first() != 1)
        return std::nullopt;
    Tables tables;
    Elf_Data* const data = elf_getdata(elf_getscn(elf, exports.symbols), nullptr);
    for (const int number : find_symbols(elf, exports, table, names)) {
        GElf_Sym symbol{};
        gelf_getsym(data, number, &symbol);
        if (GELF_ST_BIND(symbol.st_info) == STB_WEAK)
            return std::nullopt;
        const char* const name = elf_strptr(elf, exports.strings, symbol.st_name);
        symbol.st_name = tables.strings.add(name);
        tables.symbols.push_back(symbol); // GElf_Sym is Elf64_Sym
    }
    tables.dynamic[0] = {DT_SONAME, {tables.strings.add(exports.soname)}};
    return tables;
}

template <typename Table> void fill(Elf_Data& data, Table& table, Elf_Type type) {
    data.d_buf = table.data();
    data.d_size = table.size() * sizeof(table[0]);
    data.d_type = type;
}

/// A section keeps its number and its name. The linker's tables are new, the few bytes of code and
/// data stay (GNU ld takes data without content for common), all else has no content.
void write_section(Elf* to, Elf* from, std::size_t index, const Exports& exports, Tables& tables) {
    Elf_Scn* const section = elf_newscn(to);
    Elf_Data* const data = elf_newdata(section);
    auto shape = exports.sections[index];
    data->d_align = shape.sh_addralign;
    data->d_version = EV_CURRENT;
    if (index == exports.symbols) {
        fill(*data, tables.symbols, ELF_T_SYM);
        shape.sh_info = 1; // no local ones
    } else if (index == exports.strings) {
        fill(*data, tables.strings.bytes, ELF_T_BYTE);
    } else if (index == exports.dynamic) {
        fill(*data, tables.dynamic, ELF_T_DYN);
    } else if (index == exports.section_names || shape.sh_type == SHT_PROGBITS) {
        *data = *elf_getdata(elf_getscn(from, index), nullptr);
    } else {
        data->d_size = shape.sh_size;
        shape.sh_type = SHT_NOBITS;
        shape.sh_link = 0;
        shape.sh_info = 0;
    }
    gelf_update_shdr(section, &shape);
}

bool write_library(int file, Elf* from, const Exports& exports, Tables& tables) {
    const ElfHandle to(elf_begin(file, ELF_C_WRITE, nullptr));
    if (!to || gelf_newehdr(to.get(), ELFCLASS64) == nullptr)
        return false;
    auto header = exports.header;
    header.e_phnum = 0; // nobody loads it
    header.e_phoff = 0;
    header.e_entry = 0;
    gelf_update_ehdr(to.get(), &header);
    for (std::size_t index = 1; index < exports.sections.size(); ++index)
        write_section(to.get(), from, index, exports, tables);
    return elf_update(to.get(), ELF_C_WRITE) >= 0;
}

} // namespace

Result<bool> cut_library(const fs::path& library, const NameSet& names, const fs::path& output) {
    elf_version(EV_CURRENT);
    const Descriptor input(::open(library.c_str(), O_RDONLY | O_CLOEXEC));
    const ElfHandle elf(elf_begin(input.get(), ELF_C_READ_MMAP, nullptr));
    const auto exports = read_exports(elf.get());
    if (!exports)
        return support::fail(
            ErrorKind::content,
            fmt::format("cannot read `{}`: it is no shared library of this kind of machine",
                        support::display_path(library)));
    auto tables = exports->plain ? cut_tables(elf.get(), *exports, names) : std::nullopt;
    if (!tables)
        return false;
    const auto part = output.string() + ".part"; // whole or not at all
    const Descriptor file(::open(part.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (file.get() < 0 || !write_library(file.get(), elf.get(), *exports, *tables) ||
        std::rename(part.c_str(), output.c_str()) != 0)
        return support::fail(ErrorKind::failed,
                             fmt::format("cannot write `{}`", support::display_path(output)));
    return true;
}

} // namespace kbuild::elf
