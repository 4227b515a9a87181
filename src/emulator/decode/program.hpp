#pragma once

#include "decode/decoder.hpp"
#include "decode/disassembler.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

namespace kbuild::emulator {

/// Where a wave goes on.
struct CodePlace {
    const Instruction* code = nullptr; ///< first instruction of a piece
    u32 index = 0;
};

/// The decoded code of one kernel and of what it calls. Pieces are what can be reached from an
/// address by falling through and branching; calls and computed jumps add pieces while the kernel
/// runs, so several threads may ask at a time.
class Program {
  public:
    /// `image` is the loaded code object; its first byte has address `base`.
    Program(std::string_view image, u64 base, RegisterFile registers);

    /// Decodes what is not decoded yet. What is not modelled becomes an instruction that stops the
    /// wave; an Error says that there is no code, or no disassembler.
    support::Result<CodePlace> at(u64 address);

    /// All instructions, in the order of their pieces.
    std::vector<const Instruction*> instructions() const;

  private:
    support::Result<std::vector<Instruction>> decode_piece(u64 address, u32 first_id) const;
    support::Result<Instruction> decode_one(u64 address) const;

    std::string_view image_;
    u64 base_;
    RegisterFile registers_;
    std::vector<std::unique_ptr<std::vector<Instruction>>> pieces_;
    std::unordered_map<u64, CodePlace> places_;
    u32 count_ = 0; ///< instructions so far
    mutable std::shared_mutex mutex_;
};

} // namespace kbuild::emulator
