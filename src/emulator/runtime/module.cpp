#include "kbuild/emulator/module.hpp"

#include "decode/program.hpp"
#include "memory/address.hpp"

#include "kbuild/inspect/device_code.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <gelf.h>

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

namespace kbuild::emulator {

using support::ErrorKind;
using support::Result;

namespace {

constexpr std::uint64_t kPage = 4096;
constexpr unsigned kRelative64 = 13; // R_AMDGPU_RELATIVE64
constexpr unsigned kAbsolute64 = 3;  // R_AMDGPU_ABS64

tl::unexpected<support::Error> damaged(std::string what) {
    return support::fail(ErrorKind::content, std::move(what));
}

/// libelf's handle, closed at the end.
struct ElfHandle {
    Elf* elf = nullptr;
    explicit ElfHandle(Elf* handle) : elf(handle) {}
    ElfHandle(const ElfHandle&) = delete;
    ElfHandle& operator=(const ElfHandle&) = delete;
    ~ElfHandle() { elf_end(elf); }
};

struct Segment {
    std::uint64_t address, offset, file_bytes, memory_bytes;
};

Result<std::vector<Segment>> load_segments(Elf* elf, std::size_t file_size) {
    std::size_t count = 0;
    if (elf_getphdrnum(elf, &count) != 0)
        return damaged("its program headers cannot be read");
    std::vector<Segment> segments;
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr header;
        if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr)
            return damaged("its program headers cannot be read");
        if (header.p_type != PT_LOAD)
            continue;
        const bool fits =
            header.p_offset <= file_size && header.p_filesz <= file_size - header.p_offset &&
            header.p_filesz <= header.p_memsz && header.p_vaddr + header.p_memsz < (1ULL << 32U);
        if (!fits)
            return damaged("a segment lies outside of the file");
        segments.push_back({header.p_vaddr, header.p_offset, header.p_filesz, header.p_memsz});
    }
    if (segments.empty())
        return damaged("it has no loadable segments");
    return segments;
}

struct SymbolEntry {
    std::string name;
    std::uint64_t value, bytes;
    bool defined, object;
};

std::vector<SymbolEntry> read_symbols(Elf* elf, GElf_Word type) {
    std::vector<SymbolEntry> symbols;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
        GElf_Shdr header;
        Elf_Data* const data = elf_getdata(section, nullptr);
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != type ||
            data == nullptr || header.sh_entsize == 0)
            continue;
        for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
            GElf_Sym symbol;
            if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr)
                break;
            const char* const name = elf_strptr(elf, header.sh_link, symbol.st_name);
            symbols.push_back({name == nullptr ? "" : name,
                               symbol.st_value,
                               symbol.st_size,
                               symbol.st_shndx != SHN_UNDEF,
                               GELF_ST_TYPE(symbol.st_info) == STT_OBJECT});
        }
    }
    return symbols;
}

template <class T> T read_at(const char* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

} // namespace

/// Fills a Module step by step.
struct ModuleLoader {
    Module& module;
    Elf* elf;

    Result<void> map_segments(const std::vector<Segment>& segments) const {
        std::uint64_t end = 0;
        for (const auto& segment : segments)
            end = std::max(end, segment.address + segment.memory_bytes);
        const std::uint64_t bytes = (end + kPage - 1) / kPage * kPage;
        void* const memory =
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            return support::fail(ErrorKind::failed, "there is not enough memory for it");
        module.address_ = reinterpret_cast<std::uint64_t>(memory);
        module.bytes_ = bytes;
        for (const auto& segment : segments)
            std::memcpy(static_cast<char*>(memory) + segment.address,
                        module.file_.data() + segment.offset,
                        segment.file_bytes);
        return {};
    }

    Result<void> relocate(const std::vector<SymbolEntry>& symbols) const {
        for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
            GElf_Shdr header;
            if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_RELA ||
                (header.sh_flags & SHF_ALLOC) == 0)
                continue;
            Elf_Data* const data = elf_getdata(section, nullptr);
            for (std::size_t i = 0; data != nullptr && i < header.sh_size / header.sh_entsize;
                 ++i) {
                GElf_Rela entry;
                if (gelf_getrela(data, static_cast<int>(i), &entry) == nullptr)
                    return damaged("its relocations cannot be read");
                KB_TRY(relocate_one(entry, symbols));
            }
        }
        return {};
    }

    Result<void> relocate_one(const GElf_Rela& entry,
                              const std::vector<SymbolEntry>& symbols) const {
        const auto type = GELF_R_TYPE(entry.r_info);
        const auto index = GELF_R_SYM(entry.r_info);
        if (entry.r_offset + 8 > module.bytes_ || index >= std::max<std::size_t>(symbols.size(), 1))
            return damaged("a relocation lies outside of it");
        std::uint64_t value = module.address_ + static_cast<std::uint64_t>(entry.r_addend);
        if (type == kAbsolute64) {
            if (!symbols[index].defined)
                return damaged(
                    fmt::format("its symbol `{}` is defined nowhere", symbols[index].name));
            value += symbols[index].value;
        } else if (type != kRelative64) {
            return damaged(
                fmt::format("it has a relocation of type {}, which is not modelled", type));
        }
        std::memcpy(pointer_to(module.address_ + entry.r_offset), &value, sizeof value);
        return {};
    }

    Result<void> add_kernels(const inspect::CodeObject& object,
                             const std::vector<SymbolEntry>& symbols) const {
        for (const auto& resources : object.kernels) {
            const auto found =
                std::find_if(symbols.begin(), symbols.end(), [&](const SymbolEntry& symbol) {
                    return symbol.defined && symbol.name == resources.symbol;
                });
            if (found == symbols.end() || found->value + 64 > module.bytes_)
                return damaged(fmt::format("its kernel `{}` has no descriptor", resources.name));
            module.kernels_.emplace(resources.name, kernel_of(resources, found->value));
        }
        return {};
    }

    /// The 64 bytes of the descriptor are at `offset` (LLVM's AMDGPUUsage, "Kernel Descriptor").
    Kernel kernel_of(const inspect::KernelResources& resources, std::uint64_t offset) const {
        const char* const d = reinterpret_cast<const char*>(pointer_to(module.address_ + offset));
        Kernel kernel;
        kernel.name = resources.name;
        kernel.descriptor = module.address_ + offset;
        kernel.lds_bytes = read_at<std::uint32_t>(d);
        kernel.scratch_bytes = read_at<std::uint32_t>(d + 4);
        kernel.kernarg_bytes = read_at<std::uint32_t>(d + 8);
        kernel.entry = kernel.descriptor + read_at<std::uint64_t>(d + 16);
        kernel.resource3 = read_at<std::uint32_t>(d + 44);
        kernel.resource1 = read_at<std::uint32_t>(d + 48);
        kernel.resource2 = read_at<std::uint32_t>(d + 52);
        kernel.properties = read_at<std::uint16_t>(d + 56);
        kernel.preload = read_at<std::uint16_t>(d + 58);
        kernel.registers = 8 * ((kernel.resource1 & 0x3fU) + 1);
        kernel.arch_registers = 4 * ((kernel.resource3 & 0x3fU) + 1);
        kernel.max_work_group = resources.max_work_group_size;
        kernel.dynamic_stack = resources.dynamic_stack;
        for (const auto& argument : resources.arguments)
            kernel.arguments.push_back({argument.offset, argument.size, argument.kind});
        const std::string_view image(reinterpret_cast<const char*>(pointer_to(module.address_)),
                                     module.bytes_);
        kernel.program = std::make_shared<Program>(
            image,
            module.address_,
            RegisterFile{kernel.arch_registers, std::max(kernel.registers, kernel.arch_registers)});
        return kernel;
    }

    void add_variables(const std::vector<SymbolEntry>& symbols) const {
        for (const auto& symbol : symbols)
            if (symbol.defined && symbol.object && !symbol.name.ends_with(".kd"))
                module.variables_.emplace(symbol.name,
                                          Variable{module.address_ + symbol.value, symbol.bytes});
    }
};

Module::~Module() {
    if (address_ != 0)
        munmap(pointer_to(address_), bytes_);
}

Result<std::unique_ptr<Module>> Module::load(std::string_view bytes, const std::string& name) {
    KB_TRY_ASSIGN(object, inspect::read_code_object(bytes, name));
    if (object.arch.to_string().substr(0, 6) != "gfx942")
        return support::fail(ErrorKind::content,
                             fmt::format("the code object `{}` is for {}, the emulator runs gfx942",
                                         name,
                                         object.arch.to_string()));
    auto module = std::unique_ptr<Module>(new Module);
    module->name_ = name;
    module->file_ = std::string(bytes);
    elf_version(EV_CURRENT);
    const ElfHandle handle(elf_memory(module->file_.data(), module->file_.size()));
    if (handle.elf == nullptr)
        return damaged(fmt::format("the code object `{}` is no ELF file", name));
    const ModuleLoader loader{*module, handle.elf};
    const auto symbols = read_symbols(handle.elf, SHT_DYNSYM);
    KB_TRY_ASSIGN(segments, load_segments(handle.elf, bytes.size()));
    KB_TRY(loader.map_segments(segments));
    KB_TRY(loader.relocate(symbols));
    KB_TRY(loader.add_kernels(object, symbols));
    loader.add_variables(symbols);
    return module;
}

const Kernel* Module::find_kernel(std::string_view name) const {
    const auto found = kernels_.find(name);
    return found == kernels_.end() ? nullptr : &found->second;
}

const Variable* Module::find_variable(std::string_view name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() ? nullptr : &found->second;
}

} // namespace kbuild::emulator
