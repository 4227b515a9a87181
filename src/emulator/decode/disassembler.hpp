#pragma once

#include "kbuild/support/result.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace kbuild::emulator {

/// One instruction in LLVM's assembler syntax (`v_add_f32_e32 v0, v1, v2`), without blanks around.
struct Disassembled {
    std::string text;
    std::size_t bytes = 0; ///< 0: no instruction of gfx942
};

/// LLVM's disassembler for gfx942, from the shared library that the system has; loaded when the
/// first kernel is decoded, so that programs that launch none do not need it.
class Disassembler {
  public:
    /// An Error of kind `toolchain` if there is no LLVM with the AMDGPU target, or it is too old.
    static support::Result<Disassembler> open();

    Disassembled at(std::string_view code, std::size_t offset) const;

    Disassembler(Disassembler&&) noexcept;
    Disassembler& operator=(Disassembler&&) noexcept;
    ~Disassembler();

  private:
    struct Library;
    explicit Disassembler(std::unique_ptr<Library> library);
    std::unique_ptr<Library> library_;
};

} // namespace kbuild::emulator
