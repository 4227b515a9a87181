#include "decode/decoder.hpp"

#include "decode/asm_text.hpp"
#include "decode/operand_text.hpp"
#include "isa/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kbuild::emulator {
namespace {

using support::Result;

tl::unexpected<support::Error> cannot(std::string_view text, const std::string& why) {
    return support::fail(support::ErrorKind::failed, fmt::format("`{}`: {}", text, why));
}

struct DppName {
    std::string_view name;
    Dpp kind;
};
constexpr DppName kDppNames[] = {
    {"row_shl", Dpp::row_shl},
    {"row_shr", Dpp::row_shr},
    {"row_ror", Dpp::row_ror},
    {"wave_shl", Dpp::wave_shl},
    {"wave_rol", Dpp::wave_rol},
    {"wave_shr", Dpp::wave_shr},
    {"wave_ror", Dpp::wave_ror},
    {"row_newbcast", Dpp::row_newbcast},
};

u8 small(std::string_view text) {
    return static_cast<u8>(parse_integer(text).value_or(0));
}

void decode_dpp(const AsmLine& line, Instruction& in) {
    for (const auto& [name, kind] : kDppNames)
        if (const auto value = modifier(line, name)) {
            in.dpp = kind;
            in.dpp_value = small(*value);
        }
    if (const auto value = modifier(line, "row_bcast"))
        in.dpp = small(*value) == 15 ? Dpp::row_bcast15 : Dpp::row_bcast31;
    if (const auto value = modifier(line, "quad_perm")) {
        const auto lanes = number_list(*value);
        in.dpp = Dpp::quad_perm;
        for (std::size_t i = 0; i < lanes.size() && i < 4; ++i)
            in.dpp_value = static_cast<u8>(in.dpp_value | lanes[i] << (2 * i));
    }
    if (has_modifier(line, "row_mirror"))
        in.dpp = Dpp::row_mirror;
    if (has_modifier(line, "row_half_mirror"))
        in.dpp = Dpp::row_half_mirror;
    if (const auto mask = modifier(line, "row_mask"))
        in.row_mask = small(*mask);
    if (const auto mask = modifier(line, "bank_mask"))
        in.bank_mask = small(*mask);
    in.bound_control = modifier(line, "bound_ctrl").has_value();
}

u8 sdwa_selection(std::string_view name) {
    static constexpr std::array<std::string_view, 7> kNames = {
        "BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"};
    return static_cast<u8>(std::find(kNames.begin(), kNames.end(), name) - kNames.begin());
}

void decode_sdwa(const AsmLine& line, Instruction& in) {
    in.sdwa = line.mnemonic.ends_with("_sdwa");
    if (const auto name = modifier(line, "src0_sel"))
        in.operand[in.source0].sdwa = sdwa_selection(*name);
    if (const auto name = modifier(line, "src1_sel"))
        in.operand[in.source0 + 1].sdwa = sdwa_selection(*name);
    if (const auto name = modifier(line, "dst_sel"))
        in.sdwa_result = sdwa_selection(*name);
    if (const auto name = modifier(line, "dst_unused"))
        in.sdwa_unused = *name == "UNUSED_PRESERVE" ? 2 : *name == "UNUSED_SEXT" ? 1 : 0;
}

void decode_selections(const AsmLine& line, Instruction& in) {
    const bool packed = (in.row->flags & kPacked) != 0;
    const u32 sources = in.operands - in.source0;
    for (u32 i = 0; packed && i < sources; ++i)
        in.operand[in.source0 + i].select = 2;
    const auto each = [&](std::string_view name, auto apply) {
        const auto list = modifier(line, name);
        if (!list)
            return;
        const auto bits = number_list(*list);
        for (u32 i = 0; i < bits.size(); ++i)
            apply(i, bits[i] != 0);
    };
    each("op_sel", [&](u32 i, bool on) {
        if (i >= sources)
            in.half_select = on;
        else if (on)
            in.operand[in.source0 + i].select |= 1U;
    });
    each("op_sel_hi", [&](u32 i, bool on) {
        if (i < sources)
            in.operand[in.source0 + i].select =
                static_cast<u8>((in.operand[in.source0 + i].select & 1U) | (on ? 2U : 0U));
    });
    each("neg_lo", [&](u32 i, bool on) {
        if (on && i < sources)
            in.operand[in.source0 + i].negate |= 1U;
    });
    each("neg_hi", [&](u32 i, bool on) {
        if (on && i < sources)
            in.operand[in.source0 + i].negate |= 2U;
    });
}

void decode_numbers(const AsmLine& line, Instruction& in) {
    if (const auto value = modifier(line, "offset"))
        in.offset = static_cast<i32>(parse_integer(*value).value_or(0));
    if (const auto value = modifier(line, "offset0"))
        in.offset0 = static_cast<u16>(parse_integer(*value).value_or(0));
    if (const auto value = modifier(line, "offset1"))
        in.offset1 = static_cast<u16>(parse_integer(*value).value_or(0));
    if (const auto value = modifier(line, "cbsz"))
        in.cbsz = small(*value);
    if (const auto value = modifier(line, "abid"))
        in.abid = small(*value);
    if (const auto value = modifier(line, "blgp"))
        in.blgp = 1;
    if (const auto value = modifier(line, "mul"))
        in.output_scale = *value == "2" ? 1 : 2;
    if (modifier(line, "div"))
        in.output_scale = 3;
    in.clamp = has_modifier(line, "clamp");
    in.offset_enabled = has_modifier(line, "offen");
    in.index_enabled = has_modifier(line, "idxen");
    in.to_lds = has_modifier(line, "lds");
    in.returns =
        (in.row->flags & kAtomic) != 0 && in.row->unit != Unit::lds && has_modifier(line, "sc0");
}

/// Where the printed operands find their specification; a returning atomic has one more in front.
OperandSpec spec_of(const Instruction& in, std::size_t i) {
    const bool shifted = in.returns && in.row->unit != Unit::buffer;
    if (!shifted)
        return in.row->operands[i];
    if (i == 0)
        return {Role::write, in.row->bytes == 8 ? Type::b64 : Type::b32};
    return in.row->operands[i - 1];
}

std::size_t count_of(const Instruction& in) {
    std::size_t count = 0;
    while (count < 6 && spec_of(in, count).role != Role::none)
        ++count;
    return count;
}

Result<void> decode_operands(const AsmLine& line, const RegisterFile& registers, Instruction& in) {
    const auto count = count_of(in);
    const bool text_only =
        in.row->operands[0].role == Role::text && in.row->operands[1].role == Role::none;
    if (text_only)
        return {};
    if (line.operands.size() != count)
        return cannot(in.text,
                      fmt::format("has {} operands where its row in the tables has {}",
                                  line.operands.size(),
                                  count));
    in.operands = static_cast<u8>(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto spec = spec_of(in, i);
        if (spec.role == Role::text)
            continue;
        const bool pair = (in.row->flags & kPacked) != 0 && spec.type == Type::b64;
        auto operand = parse_operand(line.operands[i], pair ? Type::f32 : spec.type, registers);
        if (!operand)
            return cannot(in.text, operand.error().message);
        if (pair && operand->place == Place::constant)
            operand->value |= operand->value << 32U;
        const u32 wanted = words_of(spec.type);
        const bool is_register = operand->place == Place::scalar || operand->place == Place::vector;
        const bool wide_scalar =
            operand->place == Place::scalar && operand->words == 1 && wanted == 2;
        if (is_register && wanted != 0 && operand->words != wanted && !wide_scalar)
            return cannot(in.text,
                          fmt::format("operand `{}` has {} registers where {} are expected",
                                      line.operands[i],
                                      operand->words,
                                      wanted));
        in.operand[i] = *operand;
        in.operand[i].role = spec.role;
    }
    return {};
}

/// The first source is the first operand that is only read.
u8 first_source(const Instruction& in) {
    for (u8 i = 0; i < in.operands; ++i)
        if (spec_of(in, i).role == Role::read)
            return i;
    return 1;
}

bool float_result(const Row& row) {
    const Type type = row.operands[0].type;
    return type == Type::f32 || type == Type::f64 || type == Type::f16 ||
           (row.flags & (kPacked | kMixed)) != 0;
}

Result<void> refuse_what_is_not_modelled(const Instruction& in) {
    if (in.to_lds)
        return cannot(in.text, "loads into LDS through a buffer are not modelled");
    if (in.clamp && !float_result(*in.row) && (in.row->flags & kSaturates) == 0)
        return cannot(in.text, "`clamp` of an integer result is not modelled for it");
    if (in.clamp && (in.row->flags & kPacked) != 0 && in.row->operands[0].type == Type::b32)
        return cannot(in.text, "`clamp` of packed integers is not modelled");
    return {};
}

} // namespace

std::string_view base_name(std::string_view mnemonic) {
    for (const std::string_view suffix : {"_e32", "_e64", "_sdwa", "_dpp"})
        if (mnemonic.ends_with(suffix))
            return mnemonic.substr(0, mnemonic.size() - suffix.size());
    return mnemonic;
}

Result<Instruction> decode(const std::string& text, u32 first_word, const RegisterFile& registers) {
    const AsmLine line = split_asm(text);
    Instruction in;
    in.text = text;
    in.row = find_row(base_name(line.mnemonic));
    if (in.row == nullptr)
        return cannot(text, "this instruction is not modelled");
    in.run = in.row->run;
    in.immediate = first_word & 0xffffU;
    decode_numbers(line, in);
    KB_TRY(decode_operands(line, registers, in));
    in.source0 = first_source(in);
    decode_dpp(line, in);
    if (line.mnemonic.ends_with("_dpp") && in.dpp == Dpp::none)
        return cannot(text, "this DPP control is not modelled");
    decode_sdwa(line, in);
    if (in.operands > in.source0)
        decode_selections(line, in);
    KB_TRY(refuse_what_is_not_modelled(in));
    return in;
}

} // namespace kbuild::emulator
