#include "isa/table.hpp"
#include "one_instruction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

// Every v_cmp and v_cmpx instruction: the relation's name says what it has to give.

using namespace kbuild::emulator;

namespace {

/// How two values can stand to one another.
enum class Order { less, equal, greater, unordered };

/// The orders for which a relation of the ISA holds.
const std::map<std::string, std::vector<Order>> kHolds = {
    {"f", {}},
    {"lt", {Order::less}},
    {"eq", {Order::equal}},
    {"le", {Order::less, Order::equal}},
    {"gt", {Order::greater}},
    {"lg", {Order::less, Order::greater}},
    {"ne", {Order::less, Order::greater}},
    {"ge", {Order::greater, Order::equal}},
    {"o", {Order::less, Order::equal, Order::greater}},
    {"u", {Order::unordered}},
    {"nge", {Order::less, Order::unordered}},
    {"nlg", {Order::equal, Order::unordered}},
    {"ngt", {Order::less, Order::equal, Order::unordered}},
    {"nle", {Order::greater, Order::unordered}},
    {"neq", {Order::less, Order::greater, Order::unordered}},
    {"nlt", {Order::equal, Order::greater, Order::unordered}},
    {"tru", {Order::less, Order::equal, Order::greater, Order::unordered}},
    {"t", {Order::less, Order::equal, Order::greater, Order::unordered}},
};

template <class T> Order order_of(T a, T b) {
    return a < b ? Order::less : a > b ? Order::greater : a == b ? Order::equal : Order::unordered;
}

/// A half's value, by its fields.
double half(u32 word) {
    const u32 exponent = word >> 10U & 31U;
    const double digits = word & 1023U;
    double size = exponent == 0 ? std::ldexp(digits, -24)
                                : std::ldexp(1024 + digits, static_cast<int>(exponent) - 25);
    if (exponent == 31)
        size = digits == 0 ? std::numeric_limits<double>::infinity()
                           : std::numeric_limits<double>::quiet_NaN();
    return (word & 0x8000U) != 0 ? -size : size;
}

/// The order of two 64-bit operands that are read as `type`.
Order order_as(const std::string& type, u64 a, u64 b) {
    const auto low = [](u64 value) { return static_cast<u32>(value); };
    if (type == "i16")
        return order_of(static_cast<i16>(a), static_cast<i16>(b));
    if (type == "u16")
        return order_of(static_cast<u16>(a), static_cast<u16>(b));
    if (type == "i32")
        return order_of(static_cast<i32>(a), static_cast<i32>(b));
    if (type == "u32")
        return order_of(low(a), low(b));
    if (type == "i64")
        return order_of(static_cast<i64>(a), static_cast<i64>(b));
    if (type == "u64")
        return order_of(a, b);
    if (type == "f16")
        return order_of(half(low(a)), half(low(b)));
    if (type == "f32")
        return order_of(number(low(a)), number(low(b)));
    return order_of(std::bit_cast<double>(a), std::bit_cast<double>(b));
}

bool is_wide(const std::string& type) {
    return type.ends_with("64");
}

u64 value(u32 lane, u32 step) {
    return edge(lane * step + 1) | u64{edge(lane * (step + 2) + lane / 24)} << 32U;
}

void check_relation(const std::string& name,
                    const std::string& relation,
                    const std::string& type,
                    u64 exec) {
    OneWave one;
    one.wave.set_scalar64(kExec, exec);
    u64 want = 0;
    for (u32 lane = 0; lane < kLanes; ++lane) {
        const u64 a = value(lane, 1);
        const u64 b = lane % 4 == 0 ? a : value(lane, 7);
        one.wave.v[2].lane[lane] = static_cast<u32>(a);
        one.wave.v[3].lane[lane] = static_cast<u32>(a >> 32U);
        one.wave.v[4].lane[lane] = static_cast<u32>(b);
        one.wave.v[5].lane[lane] = static_cast<u32>(b >> 32U);
        const auto& holds = kHolds.at(relation);
        const bool on = std::find(holds.begin(), holds.end(), order_as(type, a, b)) != holds.end();
        want |= u64{on} << lane & exec;
    }
    const std::string sources = is_wide(type) ? "v[2:3], v[4:5]" : "v2, v4";
    const std::string text = name + "_e64 s[8:9], " + sources;
    run(one, text);
    INFO(text);
    CHECK(one.wave.scalar64(8) == want);
    CHECK(one.wave.exec() == (name.starts_with("v_cmpx_") ? want : exec));
}

} // namespace

TEST_CASE("every comparison gives what its name says, 0 where EXEC is off") {
    u32 checked = 0;
    for (const Row* const row : all_rows()) {
        const std::string name(row->name);
        const auto begin = name.starts_with("v_cmp_") ? 6U : name.starts_with("v_cmpx_") ? 7U : 0U;
        if (begin == 0 || name.find("class") != std::string::npos)
            continue;
        const auto end = name.find('_', begin);
        for (const u64 exec : {~u64{0}, u64{0x00ff00ff0000ffff}, u64{0}})
            check_relation(name, name.substr(begin, end - begin), name.substr(end + 1), exec);
        ++checked;
    }
    CHECK(checked == 2 * (6 * 8 + 3 * 16));
}

TEST_CASE("v_cmp_class tells the kinds of numbers apart") {
    const std::pair<u32, u32> kinds[] = {{0x7f800001, 1},
                                         {0x7fc00000, 2},
                                         {0xff800000, 4},
                                         {0xbf800000, 8},
                                         {0x80000001, 0x10},
                                         {0x80000000, 0x20},
                                         {0x00000000, 0x40},
                                         {0x00000001, 0x80},
                                         {0x3f800000, 0x100},
                                         {0x7f800000, 0x200}};
    const std::pair<u32, u32> half_kinds[] = {{0x7c01, 1},
                                              {0x7e00, 2},
                                              {0xfc00, 4},
                                              {0xbc00, 8},
                                              {0x8001, 0x10},
                                              {0x8000, 0x20},
                                              {0x0000, 0x40},
                                              {0x0001, 0x80},
                                              {0x3c00, 0x100},
                                              {0x7c00, 0x200}};
    const auto holds = [](const std::string& text, u32 low, u32 high, u32 mask) {
        OneWave one;
        one.wave.s[4] = mask;
        for (u32 lane = 0; lane < kLanes; ++lane) {
            one.wave.v[2].lane[lane] = low;
            one.wave.v[3].lane[lane] = high;
        }
        run(one, text);
        CHECK((one.wave.scalar64(8) == 0 || one.wave.scalar64(8) == ~u64{0}));
        return one.wave.scalar64(8) != 0;
    };
    for (u32 bit = 0; bit < 10; ++bit)
        for (u32 kind = 0; kind < 10; ++kind) {
            const u32 mask = 1U << bit;
            const u32 word = kinds[kind].first;
            const u32 half_word = half_kinds[kind].first;
            const bool want = kinds[kind].second == mask;
            // The same number as a double: its exponent and its top bits.
            const u64 wide = (u64{word} & 0x80000000U) << 32U |
                             ((word & 0x7f800000U) == 0x7f800000U ? u64{0x7ff} << 52U : 0) |
                             (word & 0x7f800000U) % 0x7f800000U * (u64{1} << 29U) |
                             ((word & 0x7fffffU) == 0 ? 0 : u64{word & 0x7fffffU} << 29U);
            INFO("mask " << mask << ", kind " << kind);
            CHECK(holds("v_cmp_class_f32_e64 s[8:9], v2, s4", word, 0, mask) == want);
            CHECK(holds("v_cmpx_class_f32_e64 s[8:9], v2, s4", word, 0, mask) == want);
            CHECK(holds("v_cmp_class_f16_e64 s[8:9], v2, s4", half_word, 0, mask) == want);
            CHECK(holds("v_cmpx_class_f16_e64 s[8:9], v2, s4", half_word, 0, mask) == want);
            const auto low = static_cast<u32>(wide);
            const auto high = static_cast<u32>(wide >> 32U);
            CHECK(holds("v_cmp_class_f64_e64 s[8:9], v[2:3], s4", low, high, mask) == want);
            CHECK(holds("v_cmpx_class_f64_e64 s[8:9], v[2:3], s4", low, high, mask) == want);
        }
}

TEST_CASE("scalar comparisons, with a register and with a literal") {
    u32 checked = 0;
    for (const Row* const row : all_rows()) {
        const std::string name(row->name);
        const auto begin = name.starts_with("s_cmp_") ? 6U : name.starts_with("s_cmpk_") ? 7U : 0U;
        if (begin == 0)
            continue;
        const bool literal = begin == 7;
        const auto& holds = kHolds.at(name.substr(begin, 2));
        const std::string type = name.substr(begin + 3);
        for (u32 i = 0; i < 2 * kEdges.size(); ++i) {
            OneWave one;
            const u64 a = i % 3 == 0 ? edge(i + 5) : value(i, 1);
            u64 b = i % 3 == 0 ? edge(i + 5) : value(i, 7);
            const u32 field = static_cast<u32>(b) & 0xffffU;
            if (literal)
                b = type == "i32" ? static_cast<u64>(i64{static_cast<i16>(field)}) : field;
            one.wave.set_scalar64(2, a);
            one.wave.set_scalar64(4, b);
            const std::string text = name + (is_wide(type) ? " s[2:3], s[4:5]"
                                             : literal     ? fmt::format(" s2, {:#x}", field)
                                                           : " s2, s4");
            run(one, text);
            INFO(text << std::hex << ": " << a << ", " << b);
            const Order order = order_as(type, a, b);
            CHECK(one.wave.scc() == (std::find(holds.begin(), holds.end(), order) != holds.end()));
        }
        ++checked;
    }
    CHECK(checked == 26);
}
