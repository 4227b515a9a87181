#include "kbuild/elf/cut_library.hpp"

#include "handle.hpp"

#include "kbuild/support/file.hpp"

#include <fmt/format.h>
#include <gelf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <unistd.h>
#include <vector>

namespace kbuild::elf {
namespace {

using support::ErrorKind;
using support::Result;
namespace fs = std::filesystem;

struct File {
    int number = -1;
    ~File() {
        if (number >= 0)
            ::close(number);
    }
};

tl::unexpected<support::Error> damaged(const fs::path& path, std::string_view expected) {
    return support::fail(
        ErrorKind::content,
        fmt::format("cannot read `{}`: it is no {}", support::display_path(path), expected));
}

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
    bool plain = true; ///< no versions, no needed libraries
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
        if (entry.d_tag == DT_NEEDED)
            exports.plain = false;
        if (entry.d_tag != DT_SONAME)
            continue;
        const char* const name = elf_strptr(elf, exports.strings, entry.d_un.d_val);
        if (name == nullptr)
            return false;
        exports.soname = name;
    }
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

/// The hash table of names that a loader looks them up in (.gnu.hash): finds the 300 names of a
/// kernel without looking at all 70,000 of libtorch_cpu. Its parts are 32-bit words in this order:
/// a header of 4, a Bloom filter of 64-bit words, the first symbol of each bucket, and of each
/// symbol its hash, odd where a bucket ends (gnu.org/software/gnu-gabi: "GNU hash tables").
class NameTable {
  public:
    explicit NameTable(std::string_view bytes) : words_(bytes.size() / 4) {
        std::memcpy(words_.data(), bytes.data(), words_.size() * 4);
        if (words_.size() < kHeader)
            return;
        buckets_ = words_[0];
        first_ = words_[1];
        bucket_ = kHeader + 2 * std::size_t{words_[2]};
        hash_ = bucket_ + buckets_;
    }

    /// Calls `take` with the numbers of symbols that may have this name, until it returns true.
    template <typename Take> void look_up(std::string_view name, Take take) const {
        const auto hash = hash_of(name);
        if (buckets_ == 0 || bucket_ + buckets_ > words_.size())
            return;
        std::size_t symbol = words_[bucket_ + hash % buckets_];
        if (symbol < first_)
            return;
        for (auto at = hash_ + symbol - first_; at < words_.size(); ++at, ++symbol) {
            if ((words_[at] | 1U) == (hash | 1U) && take(symbol))
                return;
            if ((words_[at] & 1U) != 0)
                return;
        }
    }

  private:
    static constexpr std::size_t kHeader = 4;

    static std::uint32_t hash_of(std::string_view name) {
        std::uint32_t hash = 5381;
        for (const char c : name)
            hash = hash * 33 + static_cast<unsigned char>(c);
        return hash;
    }

    std::vector<std::uint32_t> words_;
    std::size_t buckets_ = 0;
    std::size_t first_ = 0;  ///< the first symbol that has a hash
    std::size_t bucket_ = 0; ///< where buckets begin in words_
    std::size_t hash_ = 0;   ///< where hashes begin
};

std::string_view bytes_of(const Elf_Data& data) {
    return {static_cast<const char*>(data.d_buf), data.d_size};
}

/// Numbers of the symbols that have one of the names, sorted: the linker's tables depend on their
/// order.
std::vector<int> find_symbols(Elf* elf, const Exports& exports, const NameSet& names) {
    Elf_Data* const symbols = elf_getdata(elf_getscn(elf, exports.symbols), nullptr);
    const NameTable table(bytes_of(*elf_getdata(elf_getscn(elf, exports.hashes), nullptr)));
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

/// Their sizes and types are as they were.
Tables cut_tables(Elf* elf, const Exports& exports, const NameSet& names) {
    Tables tables;
    Elf_Data* const data = elf_getdata(elf_getscn(elf, exports.symbols), nullptr);
    for (const int number : find_symbols(elf, exports, names)) {
        GElf_Sym symbol{};
        gelf_getsym(data, number, &symbol);
        const char* const name = elf_strptr(elf, exports.strings, symbol.st_name);
        symbol.st_name = tables.strings.add(name);
        tables.symbols.push_back(symbol); // GElf_Sym is Elf64_Sym
    }
    if (!exports.soname.empty())
        tables.dynamic[0] = {DT_SONAME, {tables.strings.add(exports.soname)}};
    return tables;
}

template <typename Table> void fill(Elf_Data& data, Table& table, Elf_Type type) {
    data.d_buf = table.data();
    data.d_size = table.size() * sizeof(table[0]);
    data.d_type = type;
}

/// A section keeps its number and its name. Only those that a linker reads keep content.
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
    } else if (index == exports.section_names) {
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

/// False if it is no object, or one whose code is yet to be made (GCC's -flto): its table of
/// symbols does not hold what that code will use.
bool add_names_of(Elf* object, NameSet& names) {
    GElf_Ehdr header{};
    if (elf_kind(object) != ELF_K_ELF || gelf_getehdr(object, &header) == nullptr ||
        header.e_type != ET_REL || header.e_ident[EI_DATA] != ELFDATA2LSB)
        return false;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(object, section)) != nullptr;) {
        GElf_Shdr shape{};
        if (gelf_getshdr(section, &shape) == nullptr || shape.sh_type != SHT_SYMTAB)
            continue;
        Elf_Data* const data = elf_getdata(section, nullptr);
        GElf_Sym symbol{};
        for (int number = static_cast<int>(shape.sh_info); // the first that is not local
             gelf_getsym(data, number, &symbol) != nullptr;
             ++number)
            if (const char* const name = elf_strptr(object, shape.sh_link, symbol.st_name))
                names.emplace(name);
    }
    return !names.contains("__gnu_lto_slim");
}

bool is_table(Elf* member) {
    const Elf_Arhdr* const header = elf_getarhdr(member);
    return header != nullptr && header->ar_name != nullptr && header->ar_name[0] == '/';
}

bool add_names_of_members(int file, Elf* archive, NameSet& names) {
    auto command = ELF_C_READ_MMAP;
    while (true) {
        const ElfHandle member(elf_begin(file, command, archive));
        if (!member)
            return true;
        if (!is_table(member.get()) && !add_names_of(member.get(), names))
            return false;
        command = elf_next(member.get());
    }
}

} // namespace

Result<void> add_shared_names(const fs::path& path, NameSet& names) {
    elf_version(EV_CURRENT);
    const File file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    const ElfHandle elf(elf_begin(file.number, ELF_C_READ_MMAP, nullptr));
    const bool read = elf_kind(elf.get()) == ELF_K_AR
                          ? add_names_of_members(file.number, elf.get(), names)
                          : add_names_of(elf.get(), names);
    if (!read)
        return damaged(path, "object file or static library whose code is made");
    return {};
}

Result<bool> cut_library(const fs::path& library, const NameSet& names, const fs::path& output) {
    elf_version(EV_CURRENT);
    const File input{::open(library.c_str(), O_RDONLY | O_CLOEXEC)};
    const ElfHandle elf(elf_begin(input.number, ELF_C_READ_MMAP, nullptr));
    const auto exports = read_exports(elf.get());
    if (!exports)
        return damaged(library, "shared library");
    if (!exports->plain)
        return false;
    auto tables = cut_tables(elf.get(), *exports, names);
    const File file{::open(output.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)};
    if (file.number < 0 || !write_library(file.number, elf.get(), *exports, tables))
        return support::fail(ErrorKind::failed,
                             fmt::format("cannot write `{}`", support::display_path(output)));
    return true;
}

} // namespace kbuild::elf
