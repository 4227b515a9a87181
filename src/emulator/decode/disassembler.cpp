#include "decode/disassembler.hpp"

#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <vector>

namespace kbuild::emulator {
namespace {

using support::Result;

// Part of LLVM's C API, which is the same in all of the versions below.
using CreateDisasmCpu = void*(const char*, const char*, void*, int, void*, void*);
using DisasmInstruction =
    std::size_t(void*, std::uint8_t*, std::uint64_t, std::uint64_t, char*, std::size_t);
using DisasmDispose = void(void*);
using SetDisasmOptions = int(void*, std::uint64_t);
using Initialize = void();

constexpr std::uint64_t kPrintImmediatesAsHex = 2;

/// File names of the library, the version that kbuild is tested with first.
std::vector<std::string> library_names() {
    if (const char* const chosen = std::getenv("KBUILD_LLVM"); chosen != nullptr && *chosen != '\0')
        return {chosen};
    return {"libLLVM.so.19.1",
            "libLLVM-19.so",
            "libLLVM-19.so.1",
            "libLLVM.so.20.1",
            "libLLVM.so.21.1",
            "libLLVM.so.22.1",
            "libLLVM-18.so",
            "libLLVM-18.so.1",
            "libLLVM-17.so",
            "libLLVM-17.so.1"};
}

template <class F> F* function(void* library, const char* name) {
    return reinterpret_cast<F*>(dlsym(library, name));
}

} // namespace

struct Disassembler::Library {
    void* handle = nullptr;
    void* disassembler = nullptr;
    DisasmInstruction* instruction = nullptr;
    DisasmDispose* dispose = nullptr;

    Library() = default;
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    // The library itself stays loaded: LLVM does not expect to be unloaded.
    ~Library() {
        if (disassembler != nullptr)
            dispose(disassembler);
    }
};

Disassembler::Disassembler(std::unique_ptr<Library> library) : library_(std::move(library)) {}
Disassembler::Disassembler(Disassembler&&) noexcept = default;
Disassembler& Disassembler::operator=(Disassembler&&) noexcept = default;
Disassembler::~Disassembler() = default;

namespace {

tl::unexpected<support::Error> no_llvm(const std::string& what) {
    return support::fail(
        support::ErrorKind::toolchain,
        what,
        "install LLVM's shared library (Debian: `apt-get install libllvm19`), or name one in "
        "the variable `KBUILD_LLVM`");
}

void* open_library() {
    for (const auto& name : library_names())
        if (void* const handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL); handle != nullptr)
            return handle;
    return nullptr;
}

} // namespace

Result<Disassembler> Disassembler::open() {
    auto library = std::make_unique<Library>();
    library->handle = open_library();
    if (library->handle == nullptr)
        return no_llvm("running gfx942 code needs LLVM's disassembler, and there is no shared "
                       "library of LLVM 17 to 22");
    for (const char* const name : {"LLVMInitializeAMDGPUTargetInfo",
                                   "LLVMInitializeAMDGPUTargetMC",
                                   "LLVMInitializeAMDGPUDisassembler"}) {
        auto* const initialize = function<Initialize>(library->handle, name);
        if (initialize == nullptr)
            return no_llvm("the LLVM library that was found has no AMDGPU target");
        initialize();
    }
    auto* const create = function<CreateDisasmCpu>(library->handle, "LLVMCreateDisasmCPU");
    auto* const set_options = function<SetDisasmOptions>(library->handle, "LLVMSetDisasmOptions");
    library->instruction = function<DisasmInstruction>(library->handle, "LLVMDisasmInstruction");
    library->dispose = function<DisasmDispose>(library->handle, "LLVMDisasmDispose");
    if (create == nullptr || set_options == nullptr || library->instruction == nullptr ||
        library->dispose == nullptr)
        return no_llvm("the LLVM library that was found lacks the disassembler's C functions");
    library->disassembler = create("amdgcn-amd-amdhsa", "gfx942", nullptr, 0, nullptr, nullptr);
    if (library->disassembler == nullptr)
        return no_llvm("the LLVM library that was found does not know gfx942");
    set_options(library->disassembler, kPrintImmediatesAsHex);
    return Disassembler(std::move(library));
}

Disassembled Disassembler::at(std::string_view code, std::size_t offset) const {
    std::array<char, 512> text{};
    // LLVM takes a pointer to bytes that it does not change.
    auto* const bytes = reinterpret_cast<std::uint8_t*>(const_cast<char*>(code.data() + offset));
    const auto size = library_->instruction(
        library_->disassembler, bytes, code.size() - offset, offset, text.data(), text.size());
    return {std::string(support::trim(text.data())), size};
}

} // namespace kbuild::emulator
