#pragma once

#include <libelf.h>

#include <memory>

namespace kbuild::elf {

struct CloseElf {
    void operator()(Elf* elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, CloseElf>;

} // namespace kbuild::elf
