#include "decode/program.hpp"

#include "machine/wave.hpp"

#include <fmt/format.h>

#include <cstring>
#include <map>

namespace kbuild::emulator {
namespace {

using support::Result;

/// One disassembler for all threads: it is needed once per kernel, and LLVM's is not thread-safe.
struct SharedDisassembler {
    std::mutex mutex;
    std::optional<Disassembler> value;
};

SharedDisassembler& shared_disassembler() {
    static SharedDisassembler shared;
    return shared;
}

Result<Disassembled> disassemble(std::string_view image, std::size_t offset) {
    auto& shared = shared_disassembler();
    const std::lock_guard lock(shared.mutex);
    if (!shared.value) {
        KB_TRY_ASSIGN(opened, Disassembler::open());
        shared.value = std::move(opened);
    }
    return shared.value->at(image, offset);
}

bool is_branch(const Instruction& in) {
    return in.row->unit == Unit::branch && in.row->operands[0].role == Role::text &&
           in.row->name.starts_with("s_") && in.row->name.find("branch") != std::string_view::npos;
}

void stop(Wave& w, const Instruction& in) {
    w.failure = in.problem.c_str();
}

/// Stands for an instruction that is not modelled: reaching it stops the kernel by its name.
constexpr Row kUnknown{.name = "unknown",
                       .run = &stop,
                       .unit = Unit::other,
                       .taint = Taint::none,
                       .flags = kTerminator};

Instruction unknown(std::string text, std::string problem) {
    Instruction in;
    in.row = &kUnknown;
    in.run = kUnknown.run;
    in.text = std::move(text);
    in.problem = std::move(problem);
    return in;
}

u64 branch_target(const Instruction& in) {
    return in.address + in.size + static_cast<u64>(4 * i64{static_cast<i16>(in.immediate)});
}

} // namespace

Program::Program(std::string_view image, u64 base, RegisterFile registers)
    : image_(image), base_(base), registers_(registers) {}

Result<Instruction> Program::decode_one(u64 address) const {
    const u64 offset = address - base_;
    if (address < base_ || offset + 4 > image_.size() || offset % 4 != 0)
        return support::fail(support::ErrorKind::failed,
                             fmt::format("there is no code at offset {:#x}", offset));
    KB_TRY_ASSIGN(line, disassemble(image_, static_cast<std::size_t>(offset)));
    u32 word = 0;
    std::memcpy(&word, image_.data() + offset, sizeof word);
    auto in = line.bytes == 0 ? Result<Instruction>(unknown(fmt::format(".long {:#010x}", word),
                                                            "no instruction of gfx942"))
                              : decode(line.text, word, registers_);
    if (!in)
        in = unknown(line.text, in.error().message);
    in->address = address;
    in->size = static_cast<u8>(line.bytes);
    return in;
}

Result<std::vector<Instruction>> Program::decode_piece(u64 address, u32 first_id) const {
    std::map<u64, Instruction> found;
    std::vector<u64> open{address};
    while (!open.empty()) {
        const u64 next = open.back();
        open.pop_back();
        if (found.contains(next))
            continue;
        KB_TRY_ASSIGN(in, decode_one(next));
        if (is_branch(in))
            open.push_back(branch_target(in));
        if ((in.row->flags & kTerminator) == 0)
            open.push_back(next + in.size);
        found.emplace(next, std::move(in));
    }
    std::vector<Instruction> piece;
    std::unordered_map<u64, u32> index;
    for (auto& [at, in] : found) {
        in.id = first_id + static_cast<u32>(piece.size());
        index[at] = static_cast<u32>(piece.size());
        piece.push_back(std::move(in));
    }
    for (auto& in : piece)
        if (is_branch(in))
            in.target = index.at(branch_target(in));
    return piece;
}

Result<CodePlace> Program::at(u64 address) {
    {
        const std::shared_lock lock(mutex_);
        if (const auto found = places_.find(address); found != places_.end())
            return found->second;
    }
    const std::unique_lock lock(mutex_);
    if (const auto found = places_.find(address); found != places_.end())
        return found->second;
    KB_TRY_ASSIGN(piece, decode_piece(address, count_));
    count_ += static_cast<u32>(piece.size());
    pieces_.push_back(std::make_unique<std::vector<Instruction>>(std::move(piece)));
    const auto& stored = *pieces_.back();
    for (u32 i = 0; i < stored.size(); ++i)
        places_.emplace(stored[i].address, CodePlace{stored.data(), i});
    return places_.at(address);
}

std::vector<const Instruction*> Program::instructions() const {
    const std::shared_lock lock(mutex_);
    std::vector<const Instruction*> all;
    for (const auto& piece : pieces_)
        for (const auto& in : *piece)
            all.push_back(&in);
    return all;
}

} // namespace kbuild::emulator
