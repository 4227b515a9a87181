#include "kbuild/elf/elf_file.hpp"
#include "kbuild/inspect/host_code.hpp"

#include <cstddef>
#include <cstdint>

// Whatever the bytes are: an ElfFile whose sections lie inside of them, or an Error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace kbuild;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto file = elf::read_elf_bytes(bytes, "fuzz");
    if (!file)
        return 0;
    for (const auto& section : file->sections)
        if (section.in_file && (section.offset > size || section.size > size - section.offset))
            __builtin_trap();
    const auto host = inspect::host_code(*file);
    return host.exported.size() > file->symbols.size() ? -1 : 0;
}
