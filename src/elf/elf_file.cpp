#include "kbuild/elf/elf_file.hpp"

#include "handle.hpp"

#include "kbuild/support/file.hpp"

#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <map>
#include <memory>
#include <unistd.h>
#include <utility>

namespace kbuild::elf {
namespace {

using support::ErrorKind;
using support::Result;

/// Everything that is wanted of one file while it is read.
struct Reader {
    Elf* elf = nullptr;
    std::string name; ///< for messages
    std::uint64_t file_size = 0;
};

tl::unexpected<support::Error> content_error(const std::string& name, std::string_view what) {
    return support::fail(ErrorKind::content,
                         fmt::format("cannot read `{}` as ELF: {}", name, what));
}

/// A string of a string table; empty where the file points outside of it.
std::string text_at(const Reader& in, std::size_t table, std::size_t offset) {
    const char* const text = elf_strptr(in.elf, table, offset);
    return text != nullptr ? std::string(text) : std::string();
}

Result<GElf_Ehdr> read_header(const Reader& in) {
    if (in.file_size == 0)
        return content_error(in.name, "it is empty");
    if (elf_kind(in.elf) != ELF_K_ELF)
        return content_error(in.name, "it is no ELF file");
    if (gelf_getclass(in.elf) != ELFCLASS64)
        return content_error(in.name, "it is a 32-bit file, only 64-bit ones are supported");
    GElf_Ehdr header{};
    if (gelf_getehdr(in.elf, &header) == nullptr)
        return content_error(in.name, "its header is damaged");
    if (header.e_ident[EI_DATA] != ELFDATA2LSB)
        return content_error(in.name, "it is a big-endian file");
    return header;
}

bool inside(const Reader& in, std::uint64_t offset, std::uint64_t size) {
    return offset <= in.file_size && size <= in.file_size - offset;
}

/// Section headers by index, checked to lie inside the file.
struct SectionTable {
    std::vector<GElf_Shdr> headers;
    std::vector<Elf_Scn*> handles;
    std::size_t names = 0; ///< index of the string table with the names
};

Result<SectionTable> read_section_table(const Reader& in, const GElf_Ehdr& header) {
    SectionTable table;
    std::size_t count = 0;
    if (elf_getshdrnum(in.elf, &count) != 0 || elf_getshdrstrndx(in.elf, &table.names) != 0)
        return content_error(in.name, "its section table is damaged");
    if (count == 0)
        return content_error(in.name, "it has no section table");
    if (!inside(in, header.e_shoff, count * sizeof(Elf64_Shdr)))
        return content_error(in.name,
                             "it is truncated: the section table lies outside of the file");
    for (std::size_t index = 0; index < count; ++index) {
        Elf_Scn* const handle = elf_getscn(in.elf, index);
        GElf_Shdr section{};
        if (handle == nullptr || gelf_getshdr(handle, &section) == nullptr)
            return content_error(in.name, fmt::format("section {} is damaged", index));
        if (index != 0 && section.sh_type != SHT_NOBITS &&
            !inside(in, section.sh_offset, section.sh_size))
            return content_error(
                in.name,
                fmt::format("it is truncated: section {} lies outside of the file", index));
        table.handles.push_back(handle);
        table.headers.push_back(section);
    }
    return table;
}

/// By their place in the file; of several at one place (empty ones) in the table's order.
std::vector<std::size_t> section_order(const SectionTable& table) {
    std::vector<std::size_t> order;
    for (std::size_t index = 1; index < table.headers.size(); ++index)
        order.push_back(index);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(table.headers[a].sh_offset, a) < std::pair(table.headers[b].sh_offset, b);
    });
    return order;
}

std::vector<Section> list_sections(const Reader& in, const SectionTable& table) {
    std::vector<Section> sections;
    for (const auto index : section_order(table)) {
        const auto& header = table.headers[index];
        sections.push_back({text_at(in, table.names, header.sh_name),
                            header.sh_offset,
                            header.sh_size,
                            header.sh_addralign,
                            header.sh_type != SHT_NOBITS,
                            header.sh_addr});
    }
    return sections;
}

std::optional<std::size_t> find_section(const SectionTable& table, std::uint32_t type) {
    for (std::size_t index = 1; index < table.headers.size(); ++index)
        if (table.headers[index].sh_type == type)
            return index;
    return std::nullopt;
}

/// The bytes of a section as libelf has them in memory, converted to the host's byte order.
Elf_Data* section_data(const SectionTable& table, std::size_t index) {
    return elf_getdata(table.handles[index], nullptr);
}

void add_run_paths(std::vector<std::string>& paths, const std::string& value) {
    std::size_t begin = 0;
    while (begin <= value.size()) {
        const auto end = std::min(value.find(':', begin), value.size());
        paths.push_back(value.substr(begin, end - begin));
        begin = end + 1;
    }
}

void read_dynamic(const Reader& in, const SectionTable& table, ElfFile& file) {
    const auto index = find_section(table, SHT_DYNAMIC);
    if (!index)
        return;
    Elf_Data* const data = section_data(table, *index);
    if (data == nullptr)
        return;
    const auto strings = table.headers[*index].sh_link;
    const auto count = static_cast<int>(data->d_size / sizeof(Elf64_Dyn));
    GElf_Dyn entry{};
    for (int i = 0; i < count && gelf_getdyn(data, i, &entry) != nullptr; ++i) {
        if (entry.d_tag == DT_NULL)
            break;
        if (entry.d_tag == DT_NEEDED)
            file.needed.push_back(text_at(in, strings, entry.d_un.d_val));
        else if (entry.d_tag == DT_SONAME)
            file.soname = text_at(in, strings, entry.d_un.d_val);
        else if (entry.d_tag == DT_RPATH || entry.d_tag == DT_RUNPATH)
            add_run_paths(file.run_paths, text_at(in, strings, entry.d_un.d_val));
        else if (entry.d_tag == 36 /* DT_RELR, younger than libelf's header */)
            file.has_relr = true;
    }
}

struct VersionName {
    std::string name;
    std::string library; ///< empty for a version that this file defines
};
using VersionNames = std::map<std::uint16_t, VersionName>;

void read_version_needs(const Reader& in,
                        const SectionTable& table,
                        VersionNames& names,
                        std::vector<VersionNeed>& needs) {
    const auto index = find_section(table, SHT_GNU_verneed);
    Elf_Data* const data = index ? section_data(table, *index) : nullptr;
    if (data == nullptr)
        return;
    const auto strings = table.headers[*index].sh_link;
    GElf_Verneed need{};
    // The offsets come from the file: a chain that does not advance would never end.
    for (std::size_t at = 0; at < data->d_size; at += need.vn_next) {
        if (gelf_getverneed(data, static_cast<int>(at), &need) == nullptr)
            return;
        const auto library = text_at(in, strings, need.vn_file);
        GElf_Vernaux entry{};
        std::size_t entry_at = at + need.vn_aux;
        for (int i = 0; i < need.vn_cnt && entry_at < data->d_size; ++i) {
            if (gelf_getvernaux(data, static_cast<int>(entry_at), &entry) == nullptr)
                break;
            names[entry.vna_other] = {text_at(in, strings, entry.vna_name), library};
            needs.push_back({library, text_at(in, strings, entry.vna_name)});
            if (entry.vna_next == 0)
                break;
            entry_at += entry.vna_next;
        }
        if (need.vn_next == 0)
            return;
    }
}

void read_version_definitions(const Reader& in, const SectionTable& table, VersionNames& names) {
    const auto index = find_section(table, SHT_GNU_verdef);
    Elf_Data* const data = index ? section_data(table, *index) : nullptr;
    if (data == nullptr)
        return;
    const auto strings = table.headers[*index].sh_link;
    GElf_Verdef definition{};
    for (std::size_t at = 0; at < data->d_size; at += definition.vd_next) {
        GElf_Verdaux entry{};
        if (gelf_getverdef(data, static_cast<int>(at), &definition) == nullptr)
            return;
        // The base version names the file itself, not a version of symbols.
        if ((definition.vd_flags & VER_FLG_BASE) == 0 &&
            gelf_getverdaux(data, static_cast<int>(at + definition.vd_aux), &entry) != nullptr)
            names[definition.vd_ndx] = {text_at(in, strings, entry.vda_name), {}};
        if (definition.vd_next == 0)
            return;
    }
}

Symbol to_symbol(const GElf_Sym& raw) {
    Symbol symbol;
    const auto type = GELF_ST_TYPE(raw.st_info);
    const auto binding = GELF_ST_BIND(raw.st_info);
    symbol.defined = raw.st_shndx != SHN_UNDEF;
    symbol.weak = binding == STB_WEAK;
    symbol.unique = binding == STB_GNU_UNIQUE;
    symbol.thread_local_storage = type == STT_TLS;
    symbol.object = type == STT_OBJECT || type == STT_TLS || type == STT_COMMON;
    symbol.size = raw.st_size;
    symbol.value = raw.st_value;
    return symbol;
}

void read_program_headers(const Reader& in, ElfFile& file) {
    std::size_t count = 0;
    if (elf_getphdrnum(in.elf, &count) != 0)
        return;
    GElf_Phdr header{};
    for (std::size_t i = 0; i < count; ++i) {
        if (gelf_getphdr(in.elf, static_cast<int>(i), &header) == nullptr)
            return;
        if (header.p_type == PT_GNU_STACK)
            file.executable_stack = (header.p_flags & PF_X) != 0;
        file.relro |= header.p_type == PT_GNU_RELRO;
    }
}

Result<std::vector<Symbol>>
read_symbols(const Reader& in, const SectionTable& table, std::vector<VersionNeed>& needs) {
    std::vector<Symbol> symbols;
    const auto index = find_section(table, SHT_DYNSYM);
    if (!index || table.headers[*index].sh_size == 0)
        return symbols;
    Elf_Data* const data = section_data(table, *index);
    if (data == nullptr)
        return content_error(in.name, "its symbol table is damaged");
    VersionNames versions;
    read_version_needs(in, table, versions, needs);
    read_version_definitions(in, table, versions);
    const auto versym_index = find_section(table, SHT_GNU_versym);
    Elf_Data* const versym = versym_index ? section_data(table, *versym_index) : nullptr;
    const auto strings = table.headers[*index].sh_link;
    const auto count = static_cast<int>(data->d_size / sizeof(Elf64_Sym));
    for (int i = 1; i < count; ++i) {
        GElf_Sym raw{};
        if (gelf_getsym(data, i, &raw) == nullptr)
            return content_error(in.name, "its symbol table is damaged");
        if (GELF_ST_BIND(raw.st_info) == STB_LOCAL)
            continue;
        Symbol symbol = to_symbol(raw);
        symbol.name = text_at(in, strings, raw.st_name);
        GElf_Versym version = 0;
        if (versym != nullptr && gelf_getversym(versym, i, &version) != nullptr)
            if (const auto found = versions.find(version & 0x7fffU); found != versions.end()) {
                symbol.version = found->second.name;
                symbol.version_library = found->second.library;
            }
        symbols.push_back(std::move(symbol));
    }
    std::sort(symbols.begin(), symbols.end());
    return symbols;
}

Result<ElfFile> read(const Reader& in) {
    KB_TRY_ASSIGN(header, read_header(in));
    KB_TRY_ASSIGN(table, read_section_table(in, header));
    ElfFile file;
    file.machine = header.e_machine;
    file.type = header.e_type;
    file.os_abi = header.e_ident[EI_OSABI];
    file.abi_version = header.e_ident[EI_ABIVERSION];
    file.flags = header.e_flags;
    file.sections = list_sections(in, table);
    read_program_headers(in, file);
    read_dynamic(in, table, file);
    KB_TRY_ASSIGN(symbols, read_symbols(in, table, file.version_needs));
    std::sort(file.version_needs.begin(), file.version_needs.end());
    file.symbols = std::move(symbols);
    return file;
}

} // namespace

const Section* ElfFile::section(std::string_view name) const {
    const auto found = std::find_if(
        sections.begin(), sections.end(), [&](const Section& s) { return s.name == name; });
    return found != sections.end() ? &*found : nullptr;
}

Result<ElfFile> read_elf(const std::filesystem::path& path) {
    const auto shown = support::display_path(path);
    if (!support::is_file(path)) // opening a FIFO would wait for its other end
        return support::fail(ErrorKind::content,
                             support::path_exists(path)
                                 ? fmt::format("`{}` is no regular file", shown)
                                 : fmt::format("there is no file `{}`", shown));
    const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (fd.get() < 0)
        return tl::unexpected(support::errno_error(fmt::format("cannot open `{}`", shown), errno));
    elf_version(EV_CURRENT);
    const auto size = support::size_of_file(path);
    if (size == 0)
        return content_error(shown, "it is empty");
    const ElfHandle elf(elf_begin(fd.get(), ELF_C_READ_MMAP, nullptr));
    if (!elf)
        return content_error(shown, elf_errmsg(-1));
    return read({elf.get(), shown, size});
}

Result<ElfFile> read_elf_bytes(std::string_view bytes, const std::string& name) {
    if (bytes.empty())
        return content_error(name, "it is empty");
    elf_version(EV_CURRENT);
    // libelf likes the structures of a file at their alignment. Code objects stand at pages of a
    // mapped file, so that only what is looked at of them is read; others are copied.
    constexpr std::uintptr_t kAlignment = alignof(Elf64_Ehdr);
    std::string copy;
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % kAlignment != 0) {
        copy = bytes;
        bytes = copy;
    }
    // It asks for writable memory, and only reads.
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
    const ElfHandle elf(elf_memory(const_cast<char*>(bytes.data()), bytes.size()));
    if (!elf)
        return content_error(name, elf_errmsg(-1));
    return read({elf.get(), name, bytes.size()});
}

Result<std::string> read_section(const std::filesystem::path& path, const Section& section) {
    const auto shown = support::display_path(path);
    const auto size = support::size_of_file(path);
    if (!section.in_file)
        return content_error(shown, fmt::format("section `{}` has no bytes in it", section.name));
    if (section.offset > size || section.size > size - section.offset)
        return content_error(shown, fmt::format("section `{}` lies outside of it", section.name));
    const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (fd.get() < 0)
        return tl::unexpected(support::errno_error(fmt::format("cannot open `{}`", shown), errno));
    std::string bytes(section.size, '\0');
    std::size_t done = 0;
    while (done < bytes.size()) {
        const auto count = ::pread(fd.get(),
                                   bytes.data() + done,
                                   bytes.size() - done,
                                   static_cast<off_t>(section.offset + done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return tl::unexpected(
                support::errno_error(fmt::format("cannot read `{}`", shown), errno));
        if (count == 0)
            return content_error(shown, "it became shorter while it was read");
        done += static_cast<std::size_t>(count);
    }
    return bytes;
}

} // namespace kbuild::elf
