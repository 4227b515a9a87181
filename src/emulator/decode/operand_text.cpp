#include "decode/operand_text.hpp"

#include "decode/asm_text.hpp"
#include "machine/wave.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>

namespace kbuild::emulator {
namespace {

using support::Result;

struct Named {
    std::string_view name;
    u16 index;
    u8 words;
};
constexpr Named kScalarsByName[] = {
    {"vcc", kVcc, 2},
    {"vcc_lo", kVcc, 1},
    {"vcc_hi", kVcc + 1, 1},
    {"exec", kExec, 2},
    {"exec_lo", kExec, 1},
    {"exec_hi", kExec + 1, 1},
    {"m0", kM0, 1},
    {"scc", kScc, 1},
    {"src_scc", kScc, 1},
    {"flat_scratch", 102, 2},
    {"flat_scratch_lo", 102, 1},
    {"flat_scratch_hi", 103, 1},
    {"xnack_mask", 104, 2},
    {"xnack_mask_lo", 104, 1},
    {"xnack_mask_hi", 105, 1},
};

Operand constant(u64 value) {
    Operand operand;
    operand.place = Place::constant;
    operand.value = value;
    return operand;
}

struct Range {
    u32 first;
    u32 count;
};

/// `12` or `[12:15]`
std::optional<Range> parse_range(std::string_view text) {
    if (!text.starts_with('[')) {
        const auto index = parse_integer(text);
        return index ? std::optional<Range>({static_cast<u32>(*index), 1}) : std::nullopt;
    }
    const auto colon = text.find(':');
    if (colon == std::string_view::npos || !text.ends_with(']'))
        return std::nullopt;
    const auto first = parse_integer(text.substr(1, colon - 1));
    const auto last = parse_integer(text.substr(colon + 1, text.size() - colon - 2));
    if (!first || !last)
        return std::nullopt;
    return Range{static_cast<u32>(*first), static_cast<u32>(*last - *first + 1)};
}

std::optional<Operand> parse_register(std::string_view text, const RegisterFile& registers) {
    for (const auto& named : kScalarsByName)
        if (named.name == text)
            return Operand{.place = Place::scalar, .words = named.words, .index = named.index};
    const bool trap = text.starts_with("ttmp");
    if (!trap && (text.empty() || (text[0] != 'v' && text[0] != 's' && text[0] != 'a')))
        return std::nullopt;
    const auto range = parse_range(text.substr(trap ? 4 : 1));
    if (!range)
        return std::nullopt;
    Operand operand;
    operand.words = static_cast<u8>(range->count);
    operand.place = text[0] == 's' || trap ? Place::scalar : Place::vector;
    const u32 base = trap ? 108 : text[0] == 'a' ? registers.arch : 0;
    operand.index = static_cast<u16>(base + range->first);
    return operand;
}

/// The bits of a floating constant in the operand's format.
u64 float_bits(double value, Type type) {
    switch (type) {
    case Type::f64:
    case Type::b64:
        return std::bit_cast<u64>(value);
    case Type::f16:
    case Type::b16:
        return std::bit_cast<u16>(static_cast<_Float16>(value));
    default:
        return std::bit_cast<u32>(static_cast<float>(value));
    }
}

std::optional<Operand> parse_constant(std::string_view text, Type type) {
    if (text == "src_shared_base")
        return constant(u64{kSharedAperture} << 32U);
    if (text == "src_private_base")
        return constant(u64{kPrivateAperture} << 32U);
    if (const auto integer = parse_integer(text)) {
        const auto bits = static_cast<u64>(*integer);
        // A literal of a 64-bit float holds its upper half; inline integers are printed in decimal.
        return constant(type == Type::f64 && text.starts_with("0x") ? bits << 32U : bits);
    }
    const std::string copy(text);
    char* end = nullptr;
    const double value = std::strtod(copy.c_str(), &end);
    if (end != copy.c_str() + copy.size() || copy.empty())
        return std::nullopt;
    // The one inline constant whose printed digits are not its value.
    constexpr double kInverseTwoPi = 0.15915494309189532;
    return constant(float_bits(copy.starts_with("0.15915494") ? kInverseTwoPi : value, type));
}

Result<Operand> check(Operand operand, std::string_view text, const RegisterFile& registers) {
    if (operand.place == Place::vector && u32{operand.index} + operand.words > registers.total)
        return support::fail(support::ErrorKind::failed,
                             fmt::format("register `{}` is beyond the {} that the kernel allocates",
                                         text,
                                         registers.total));
    if (operand.place == Place::scalar && u32{operand.index} + operand.words > kScalars)
        return support::fail(support::ErrorKind::failed,
                             fmt::format("there is no register `{}`", text));
    return operand;
}

} // namespace

Result<Operand> parse_operand(std::string_view text, Type type, const RegisterFile& registers) {
    const std::string_view whole = text;
    if (text == "off" || text == "null")
        return Operand{.place = Place::off};
    if (const auto value = parse_constant(text, type))
        return *value;
    const bool negated = text.starts_with('-');
    if (negated)
        text.remove_prefix(1);
    const bool absolute = text.starts_with('|') && text.ends_with('|') && text.size() > 2;
    if (absolute)
        text = text.substr(1, text.size() - 2);
    const bool extended = text.starts_with("sext(") && text.ends_with(')');
    if (extended)
        text = text.substr(5, text.size() - 6);
    auto operand = parse_register(text, registers);
    if (!operand)
        operand = parse_constant(text, type);
    if (!operand)
        return support::fail(support::ErrorKind::failed,
                             fmt::format("operand `{}` is not modelled", whole));
    operand->negate = negated ? 1 : 0;
    operand->absolute = absolute;
    operand->sign_extend = extended;
    return check(*operand, whole, registers);
}

} // namespace kbuild::emulator
