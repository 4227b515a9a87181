#include "kbuild/elf/shared_names.hpp"

#include "handle.hpp"

#include "kbuild/support/file.hpp"

#include <fmt/format.h>
#include <gelf.h>

#include <fcntl.h>

namespace kbuild::elf {
namespace {

using support::ErrorKind;
using support::Result;
namespace fs = std::filesystem;

/// `.symver` puts the version into the name: `memcpy@GLIBC_2.2.5`.
std::string without_version(std::string_view name) {
    return std::string(name.substr(0, name.find('@')));
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
            if (const char* const text = elf_strptr(object, shape.sh_link, symbol.st_name))
                names.insert(without_version(text));
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
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    const ElfHandle elf(elf_begin(file.get(), ELF_C_READ_MMAP, nullptr));
    const bool read = elf_kind(elf.get()) == ELF_K_AR
                          ? add_names_of_members(file.get(), elf.get(), names)
                          : add_names_of(elf.get(), names);
    if (!read)
        return support::fail(ErrorKind::content,
                             fmt::format("cannot read `{}`: it is no object file or static library "
                                         "with code of this kind of machine",
                                         support::display_path(path)));
    return {};
}

} // namespace kbuild::elf
