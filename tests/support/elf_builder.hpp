#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

/// Small ELF files for tests: just the parts that kbuild reads.
namespace kbuild::test {

struct ElfSymbol {
    std::string name;
    bool defined = false;
    unsigned char binding = STB_GLOBAL;
    std::string version = {}; ///< of an undefined one: `GLIBC_2.14`
    std::string library = {}; ///< and who must have it
    std::uint64_t value = 0;
    std::uint64_t size = 0;
};

struct ElfSection {
    std::string name;
    std::uint32_t type = SHT_PROGBITS;
    std::string bytes;
    std::uint64_t address = 0;
};

struct ElfImage {
    std::uint16_t machine = EM_X86_64;
    std::uint16_t type = ET_DYN;
    unsigned char os_abi = ELFOSABI_SYSV;
    unsigned char abi_version = 0;
    std::vector<std::string> needed;
    std::string run_path;
    bool relr = false;
    bool executable_stack = false;
    bool relro = true;
    std::string soname;
    std::vector<ElfSymbol> symbols;
    std::vector<ElfSection> sections;
};

/// A string table that grows; offset 0 is the empty string.
class StringTable {
  public:
    std::uint32_t add(const std::string& text) {
        const auto offset = static_cast<std::uint32_t>(bytes_.size());
        bytes_ += text + '\0';
        return offset;
    }
    const std::string& bytes() const { return bytes_; }

  private:
    std::string bytes_ = std::string(1, '\0');
};

template <typename T> void append(std::string& bytes, const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

inline std::string symbol_bytes(const ElfImage& image, StringTable& strings) {
    std::string bytes;
    append(bytes, Elf64_Sym{});
    for (const auto& symbol : image.symbols) {
        Elf64_Sym raw{};
        raw.st_name = strings.add(symbol.name);
        raw.st_info = static_cast<unsigned char>(ELF64_ST_INFO(symbol.binding, STT_FUNC));
        raw.st_shndx = symbol.defined ? 1 : SHN_UNDEF;
        raw.st_value = symbol.value;
        raw.st_size = symbol.size;
        append(bytes, raw);
    }
    return bytes;
}

inline std::string dynamic_bytes(const ElfImage& image, StringTable& strings) {
    std::string bytes;
    const auto add = [&bytes](Elf64_Sxword tag, Elf64_Xword value) {
        Elf64_Dyn entry{};
        entry.d_tag = tag;
        entry.d_un.d_val = value;
        append(bytes, entry);
    };
    for (const auto& library : image.needed)
        add(DT_NEEDED, strings.add(library));
    if (!image.soname.empty())
        add(DT_SONAME, strings.add(image.soname));
    if (!image.run_path.empty())
        add(DT_RUNPATH, strings.add(image.run_path));
    if (image.relr)
        add(36, 0);
    add(DT_NULL, 0);
    return bytes;
}

/// .gnu.version and .gnu.version_r: which version of which library each symbol asks for.
struct VersionBytes {
    std::string of_symbols;
    std::string needs;
    std::uint32_t count = 0;
};

inline VersionBytes version_bytes(const ElfImage& image, StringTable& strings) {
    VersionBytes bytes;
    append(bytes.of_symbols, std::uint16_t{0});
    for (const auto& symbol : image.symbols) {
        const auto index = static_cast<std::uint16_t>(bytes.count + 2);
        append(bytes.of_symbols, symbol.version.empty() ? std::uint16_t{1} : index);
        if (symbol.version.empty())
            continue;
        Elf64_Verneed need{};
        need.vn_version = 1;
        need.vn_cnt = 1;
        need.vn_file = strings.add(symbol.library);
        need.vn_aux = sizeof(Elf64_Verneed);
        need.vn_next = sizeof(Elf64_Verneed) + sizeof(Elf64_Vernaux);
        append(bytes.needs, need);
        Elf64_Vernaux version{};
        version.vna_other = index;
        version.vna_name = strings.add(symbol.version);
        append(bytes.needs, version);
        ++bytes.count;
    }
    return bytes;
}

/// The program headers that say how the file is to be loaded.
inline std::string program_bytes(const ElfImage& image) {
    std::string bytes;
    Elf64_Phdr header{};
    header.p_type = PT_GNU_STACK;
    header.p_flags = PF_R | PF_W | (image.executable_stack ? PF_X : 0U);
    append(bytes, header);
    header.p_type = PT_GNU_RELRO;
    header.p_flags = PF_R;
    if (image.relro)
        append(bytes, header);
    return bytes;
}

/// The bytes of the file: header, program headers, section contents (each at a multiple of 16),
/// section headers.
inline std::string build_elf(const ElfImage& image) {
    struct Part {
        ElfSection section;
        std::uint32_t link = 0;
        std::uint64_t entry_size = 0;
    };
    StringTable strings;
    const auto symbols = symbol_bytes(image, strings);
    const auto dynamic = dynamic_bytes(image, strings);
    const auto versions = version_bytes(image, strings);
    std::vector<Part> parts = {{{".dynsym", SHT_DYNSYM, symbols}, 2, sizeof(Elf64_Sym)},
                               {{".dynstr", SHT_STRTAB, strings.bytes()}, 0, 0},
                               {{".dynamic", SHT_DYNAMIC, dynamic}, 2, sizeof(Elf64_Dyn)}};
    if (versions.count != 0) {
        parts.push_back({{".gnu.version", SHT_GNU_versym, versions.of_symbols}, 1, 2});
        parts.push_back({{".gnu.version_r", SHT_GNU_verneed, versions.needs}, 2, 0});
    }
    for (const auto& section : image.sections)
        parts.push_back({section, 0, 0});
    StringTable names;
    std::vector<std::uint32_t> name_offsets;
    for (const auto& part : parts)
        name_offsets.push_back(names.add(part.section.name));
    name_offsets.push_back(names.add(".shstrtab"));
    parts.push_back({{".shstrtab", SHT_STRTAB, names.bytes()}, 0, 0});

    const auto programs = program_bytes(image);
    auto bytes = std::string(sizeof(Elf64_Ehdr), '\0') + programs;
    std::string headers;
    append(headers, Elf64_Shdr{});
    for (std::size_t i = 0; i < parts.size(); ++i) {
        bytes.resize((bytes.size() + 15) / 16 * 16, '\0');
        Elf64_Shdr header{};
        header.sh_name = name_offsets[i];
        header.sh_type = parts[i].section.type;
        header.sh_addr = parts[i].section.address;
        header.sh_offset = bytes.size();
        header.sh_size = parts[i].section.bytes.size();
        header.sh_link = parts[i].link;
        header.sh_addralign = 8;
        header.sh_entsize = parts[i].entry_size;
        append(headers, header);
        bytes += parts[i].section.bytes;
    }
    bytes.resize((bytes.size() + 15) / 16 * 16, '\0');

    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_ident[EI_OSABI] = image.os_abi;
    header.e_ident[EI_ABIVERSION] = image.abi_version;
    header.e_type = image.type;
    header.e_machine = image.machine;
    header.e_version = EV_CURRENT;
    header.e_shoff = bytes.size();
    header.e_ehsize = sizeof(Elf64_Ehdr);
    header.e_phoff = sizeof(Elf64_Ehdr);
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phnum = static_cast<std::uint16_t>(programs.size() / sizeof(Elf64_Phdr));
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = static_cast<std::uint16_t>(parts.size() + 1);
    header.e_shstrndx = static_cast<std::uint16_t>(parts.size());
    std::memcpy(bytes.data(), &header, sizeof(header));
    return bytes + headers;
}

} // namespace kbuild::test
