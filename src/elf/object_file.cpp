#include "kbuild/elf/object_file.hpp"

#include "handle.hpp"

#include "kbuild/support/file.hpp"

#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

namespace kbuild::elf {
namespace {

using support::ErrorKind;
using support::Result;

tl::unexpected<support::Error> object_error(const std::string& name, std::string_view what) {
    return support::fail(ErrorKind::content, fmt::format("cannot read `{}`: {}", name, what));
}

ElfHandle open_memory(std::string& bytes) {
    elf_version(EV_CURRENT);
    return ElfHandle(elf_memory(bytes.data(), bytes.size()));
}

/// The symbol table of an object, and what is needed to read names and sections from it.
struct SymbolTable {
    Elf_Data* data = nullptr;
    std::uint64_t offset = 0; ///< in the file
    std::size_t strings = 0;  ///< section of the names
    std::size_t section_names = 0;
    std::size_t count = 0;
};

Result<std::optional<SymbolTable>>
find_symbols(Elf* elf, std::size_t file_size, const std::string& name) {
    GElf_Ehdr header{};
    if (elf == nullptr || elf_kind(elf) != ELF_K_ELF || gelf_getclass(elf) != ELFCLASS64 ||
        gelf_getehdr(elf, &header) == nullptr || header.e_ident[EI_DATA] != ELFDATA2LSB)
        return object_error(name, "it is no 64-bit object file");
    SymbolTable table;
    if (elf_getshdrstrndx(elf, &table.section_names) != 0)
        return object_error(name, "its section table is damaged");
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
        GElf_Shdr shape{};
        if (gelf_getshdr(section, &shape) == nullptr || shape.sh_type != SHT_SYMTAB)
            continue;
        table.data = elf_getdata(section, nullptr);
        table.offset = shape.sh_offset;
        table.strings = shape.sh_link;
        if (table.data == nullptr || shape.sh_offset > file_size ||
            shape.sh_size > file_size - shape.sh_offset)
            return object_error(name, "its symbol table is damaged");
        table.count = table.data->d_size / sizeof(Elf64_Sym);
        return std::optional(table);
    }
    return std::optional<SymbolTable>();
}

/// Writable, and not made read-only once it is relocated.
bool stays_writable(Elf* elf, const SymbolTable& table, std::size_t index) {
    Elf_Scn* const section = elf_getscn(elf, index);
    GElf_Shdr shape{};
    if (section == nullptr || gelf_getshdr(section, &shape) == nullptr)
        return false;
    const char* const name = elf_strptr(elf, table.section_names, shape.sh_name);
    const bool relro =
        name != nullptr && std::string_view(name).find(".rel.ro") != std::string_view::npos;
    return (shape.sh_flags & SHF_WRITE) != 0 && !relro;
}

ObjectSymbol describe(Elf* elf, const SymbolTable& table, const GElf_Sym& raw) {
    ObjectSymbol symbol;
    const char* const name = elf_strptr(elf, table.strings, raw.st_name);
    symbol.name = name != nullptr ? name : "";
    symbol.defined = raw.st_shndx != SHN_UNDEF;
    const auto type = GELF_ST_TYPE(raw.st_info);
    const bool data = type == STT_OBJECT || type == STT_TLS || type == STT_COMMON;
    symbol.state = symbol.defined && data && GELF_ST_BIND(raw.st_info) != STB_WEAK &&
                   (raw.st_shndx == SHN_COMMON || stays_writable(elf, table, raw.st_shndx));
    return symbol;
}

using OnSymbol = std::function<void(std::size_t index, const GElf_Sym&, const ObjectSymbol&)>;

bool is_local(const GElf_Sym& raw) {
    return GELF_ST_BIND(raw.st_info) == STB_LOCAL;
}

/// Calls `on_symbol` for each symbol; returns where the table is.
Result<std::uint64_t>
each_symbol(std::string& bytes, const std::string& name, const OnSymbol& on_symbol) {
    const auto elf = open_memory(bytes);
    KB_TRY_ASSIGN(table, find_symbols(elf.get(), bytes.size(), name));
    if (!table)
        return std::uint64_t{0};
    for (std::size_t index = 1; index < table->count; ++index) {
        GElf_Sym raw{};
        if (gelf_getsym(table->data, static_cast<int>(index), &raw) == nullptr)
            return object_error(name, "its symbol table is damaged");
        on_symbol(index, raw, describe(elf.get(), *table, raw));
    }
    return table->offset;
}

Elf64_Sym changed(const GElf_Sym& raw, Visibility visibility) {
    Elf64_Sym symbol = raw; // GElf_Sym is Elf64_Sym
    const auto type = GELF_ST_TYPE(raw.st_info);
    if (visibility == Visibility::undefined) {
        const auto kept = type == STT_TLS ? STT_TLS : STT_NOTYPE;
        symbol.st_info = static_cast<unsigned char>(ELF64_ST_INFO(STB_GLOBAL, kept));
        symbol.st_other = STV_DEFAULT;
        symbol.st_shndx = SHN_UNDEF;
        symbol.st_value = 0;
        symbol.st_size = 0;
        return symbol;
    }
    const auto binding = GELF_ST_BIND(raw.st_info);
    symbol.st_info = static_cast<unsigned char>(
        ELF64_ST_INFO(binding == STB_GNU_UNIQUE ? STB_WEAK : binding, type));
    symbol.st_other = STV_HIDDEN;
    return symbol;
}

} // namespace

Result<std::vector<Member>> read_archive(const std::filesystem::path& path) {
    const auto shown = support::display_path(path);
    KB_TRY_ASSIGN(bytes, support::read_file(path));
    const auto archive = open_memory(bytes);
    if (!archive || elf_kind(archive.get()) != ELF_K_AR)
        return object_error(shown, "it is no static library");
    std::vector<Member> members;
    auto command = ELF_C_READ_MMAP; // what elf_memory() opens with
    while (command != ELF_C_NULL) {
        const ElfHandle member(elf_begin(-1, command, archive.get()));
        if (!member)
            break;
        const Elf_Arhdr* const header = elf_getarhdr(member.get());
        std::size_t size = 0;
        const char* const start = elf_rawfile(member.get(), &size);
        if (header == nullptr || start == nullptr)
            return object_error(shown, "a member of it is damaged");
        // The archive's own tables are called `/` and `//`.
        if (header->ar_name != nullptr && header->ar_name[0] != '/')
            members.push_back({header->ar_name, std::string(start, size)});
        command = elf_next(member.get());
    }
    if (members.empty())
        return object_error(shown, "it has no members");
    return members;
}

Result<std::vector<ObjectSymbol>> read_object_symbols(std::string_view bytes,
                                                      const std::string& name) {
    std::vector<ObjectSymbol> symbols;
    std::string copy(bytes);
    KB_TRY(
        each_symbol(copy, name, [&](std::size_t, const GElf_Sym& raw, const ObjectSymbol& symbol) {
            if (!is_local(raw))
                symbols.push_back(symbol);
        }));
    std::sort(symbols.begin(), symbols.end());
    return symbols;
}

Result<std::vector<std::string>> read_local_state(std::string_view bytes, const std::string& name) {
    std::vector<std::string> names;
    std::string copy(bytes);
    KB_TRY(
        each_symbol(copy, name, [&](std::size_t, const GElf_Sym& raw, const ObjectSymbol& symbol) {
            if (is_local(raw) && symbol.state)
                names.push_back(symbol.name);
        }));
    std::sort(names.begin(), names.end());
    return names;
}

Result<void> change_visibility(std::string& bytes,
                               const std::string& name,
                               const std::function<Visibility(const ObjectSymbol&)>& choose) {
    struct Change {
        std::size_t index;
        Elf64_Sym symbol;
    };
    std::vector<Change> changes;
    KB_TRY_ASSIGN(
        table,
        each_symbol(
            bytes, name, [&](std::size_t index, const GElf_Sym& raw, const ObjectSymbol& symbol) {
                const auto visibility = is_local(raw) ? Visibility::unchanged : choose(symbol);
                if (visibility != Visibility::unchanged)
                    changes.push_back({index, changed(raw, visibility)});
            }));
    for (const auto& change : changes)
        std::memcpy(bytes.data() + table + change.index * sizeof(Elf64_Sym),
                    &change.symbol,
                    sizeof(Elf64_Sym));
    return {};
}

} // namespace kbuild::elf
