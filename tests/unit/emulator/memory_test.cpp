#include "isa/table.hpp"
#include "lane_memory.hpp"

#include <algorithm>
#include <cstring>
#include <map>

// Every load, store and atomic of every address space: the name says how many bytes it moves and
// what becomes of them.

using namespace kbuild::emulator;

namespace {

/// Bytes and registers of the kinds of loads and stores; DS names on the right.
struct Kind {
    u32 bytes;
    bool extends; ///< the sign
};
const std::map<std::string, Kind> kKinds = {
    {"ubyte", {1, false}},    {"u8", {1, false}},   {"sbyte", {1, true}},     {"i8", {1, true}},
    {"byte", {1, false}},     {"b8", {1, false}},   {"ushort", {2, false}},   {"u16", {2, false}},
    {"sshort", {2, true}},    {"i16", {2, true}},   {"short", {2, false}},    {"b16", {2, false}},
    {"dword", {4, false}},    {"b32", {4, false}},  {"dwordx2", {8, false}},  {"b64", {8, false}},
    {"dwordx3", {12, false}}, {"b96", {12, false}}, {"dwordx4", {16, false}}, {"b128", {16, false}},
};

/// `load`, `ubyte`, `_d16_hi` of `global_load_ubyte_d16_hi`.
struct Parts {
    std::string action, kind, half;
};
Parts parts_of(const std::string& name) {
    Parts parts;
    const auto first_end = name.find('_') + 1;
    const auto second_end = name.find('_', first_end);
    parts.action = name.substr(first_end, second_end - first_end);
    if (second_end == std::string::npos)
        return parts;
    const auto half = name.find("_d16");
    parts.kind =
        name.substr(second_end + 1, half == std::string::npos ? half : half - second_end - 1);
    parts.half = half == std::string::npos ? "" : name.substr(half);
    return parts;
}

/// The first word of a load by its kind, from the old word and the bytes in memory.
u32 loaded(const Parts& parts, u32 old, u32 memory) {
    const Kind kind = kKinds.at(parts.kind);
    u32 value = kind.bytes == 1 ? memory & 0xffU : kind.bytes == 2 ? memory & 0xffffU : memory;
    if (kind.extends)
        value = kind.bytes == 1 ? static_cast<u32>(static_cast<i8>(value))
                                : static_cast<u32>(static_cast<i16>(value));
    if (parts.half == "_d16")
        return (old & 0xffff0000U) | (value & 0xffffU);
    return parts.half == "_d16_hi" ? (old & 0xffffU) | value << 16U : value;
}

void check_load(const std::string& name, const Parts& parts) {
    LaneMemory memory(name);
    const u32 words = std::max(kKinds.at(parts.kind).bytes / 4, 1U);
    const std::string text = memory.load(name, registers(10, words));
    std::array<Register, 4> old{};
    std::copy_n(memory.one.wave.v + 10, 4, old.begin());
    run(memory.one, text);
    for (u32 lane = 0; lane < kLanes; ++lane)
        for (u32 word = 0; word < words; ++word) {
            const u32 before = old[word].lane[lane];
            const u32 raw = memory.at<u32>(lane, 4 * word);
            const u32 want = !is_on(lane) ? before : loaded(parts, before, raw);
            INFO(text << " lane " << lane << " word " << word);
            CHECK(memory.one.wave.v[10 + word].lane[lane] == want);
        }
}

void check_store(const std::string& name, const Parts& parts) {
    LaneMemory memory(name);
    const u32 bytes = kKinds.at(parts.kind).bytes;
    const std::string text = memory.store(name, registers(10, std::max(bytes / 4, 1U)));
    std::array<u8, std::size_t{kLanes} * kPitch> want{};
    std::copy_n(memory.memory(), want.size(), want.begin());
    for (u32 lane = 0; lane < kLanes; ++lane)
        for (u32 i = 0; i < bytes && is_on(lane); ++i) {
            const u32 shift = 8 * (i % 4) + (parts.half == "_d16_hi" ? 16 : 0);
            want[kPitch * std::size_t{lane} + i] =
                static_cast<u8>(memory.one.wave.v[10 + i / 4].lane[lane] >> shift);
        }
    run(memory.one, text);
    INFO(text);
    CHECK(std::equal(want.begin(), want.end(), memory.memory()));
}

template <class F> u32 for_rows(F check) {
    u32 checked = 0;
    for (const Row* const row : all_rows()) {
        const std::string name(row->name);
        const auto space = name.substr(0, name.find('_'));
        if (space == "global" || space == "flat" || space == "scratch" || space == "buffer" ||
            space == "ds")
            checked += check(name) ? 1U : 0U;
    }
    return checked;
}

/// What an atomic operation of integers leaves in memory.
template <class T> T changed(const std::string& operation, T old, T value, T compare) {
    using Signed = std::make_signed_t<T>;
    const auto less = static_cast<Signed>(old) < static_cast<Signed>(value);
    const std::map<std::string, T> results = {
        {"swap", value},
        {"add", static_cast<T>(old + value)},
        {"sub", static_cast<T>(old - value)},
        {"rsub", static_cast<T>(value - old)},
        {"smin", less ? old : value},
        {"smax", less ? value : old},
        {"umin", std::min(old, value)},
        {"umax", std::max(old, value)},
        {"and", old & value},
        {"or", old | value},
        {"xor", old ^ value},
        {"inc", old >= value ? T{0} : static_cast<T>(old + 1)},
        {"dec", old == 0 || old > value ? value : static_cast<T>(old - 1)},
        {"cmpswap", old == compare ? value : old},
    };
    return results.at(operation);
}

/// One integer atomic with old value and operand at the edges; `cmpswap` has two operands.
template <class T>
void check_atomic(const std::string& name, const std::string& operation, bool returns) {
    LaneMemory memory(name);
    constexpr u32 words = sizeof(T) / 4;
    const bool compares = operation == "cmpswap";
    const bool ds = name.starts_with("ds_");
    std::array<T, kLanes> old{};
    std::array<T, kLanes> value{};
    for (u32 lane = 0; lane < kLanes; ++lane) {
        old[lane] = static_cast<T>(edge(lane) | u64{edge(lane + 9)} << 32U);
        value[lane] = static_cast<T>(edge(lane * 5 + 2) | u64{edge(lane * 3)} << 32U);
        memory.put(lane, old[lane]);
        // GLOBAL and FLAT: the new value, then what is compared; DS has them the other way round.
        const T compare = lane % 2 == 0 ? old[lane] : static_cast<T>(~old[lane]);
        const T operands[2] = {compares && ds ? compare : value[lane],
                               compares && ds ? value[lane] : compare};
        for (u32 i = 0; i < 2; ++i)
            for (u32 word = 0; word < words; ++word)
                memory.one.wave.v[10 + i * words + word].lane[lane] =
                    static_cast<u32>(u64{operands[i]} >> (32 * word));
    }
    std::string data = registers(10, compares && !ds ? 2 * words : words);
    if (compares && ds)
        data += ", " + registers(10 + words, words);
    std::string text = memory.store(name, data);
    if (returns && name.starts_with("buffer"))
        text += " sc0";
    else if (returns)
        text =
            name + " " + registers(20, words) + "," + text.substr(name.size()) + (ds ? "" : " sc0");
    run(memory.one, text);
    for (u32 lane = 0; lane < kLanes; ++lane) {
        INFO(text << " lane " << lane << std::hex << ": " << old[lane] << ", " << value[lane]);
        const T compare = lane % 2 == 0 ? old[lane] : static_cast<T>(~old[lane]);
        CHECK(memory.at<T>(lane) ==
              (is_on(lane) ? changed<T>(operation, old[lane], value[lane], compare) : old[lane]));
        const u32 result = name.starts_with("buffer") ? 10 : 20;
        if (returns && is_on(lane) && words == 1)
            CHECK(memory.one.wave.v[result].lane[lane] == old[lane]);
        if (returns && is_on(lane) && words == 2)
            CHECK(pair_of(memory.one, result, lane) == old[lane]);
    }
}

/// The operation and the size of an integer atomic's name; empty for others.
struct AtomicName {
    std::string operation;
    bool wide = false;
    bool returns = false; ///< DS says so in the name
};
AtomicName atomic_name(std::string name) {
    AtomicName found;
    if (const auto at = name.find("_rtn"); at != std::string::npos) {
        found.returns = true;
        name.erase(at, 4);
    }
    if (name.find("_f16") != std::string::npos || name.find("_bf16") != std::string::npos ||
        name.find("_f32") != std::string::npos || name.find("_f64") != std::string::npos)
        return found;
    if (const auto at = name.find("_atomic_"); at != std::string::npos) {
        found.wide = name.ends_with("_x2");
        found.operation = name.substr(at + 8, name.size() - at - 8 - (found.wide ? 3 : 0));
        return found;
    }
    static const std::map<std::string, std::string> kDs = {{"add_u", "add"},
                                                           {"sub_u", "sub"},
                                                           {"rsub_u", "rsub"},
                                                           {"inc_u", "inc"},
                                                           {"dec_u", "dec"},
                                                           {"min_i", "smin"},
                                                           {"max_i", "smax"},
                                                           {"min_u", "umin"},
                                                           {"max_u", "umax"},
                                                           {"and_b", "and"},
                                                           {"or_b", "or"},
                                                           {"xor_b", "xor"},
                                                           {"wrxchg_b", "swap"},
                                                           {"cmpst_b", "cmpswap"}};
    const auto known = name.size() < 6 ? kDs.end() : kDs.find(name.substr(3, name.size() - 5));
    if (!name.starts_with("ds_") || known == kDs.end())
        return found;
    found.operation = known->second;
    found.wide = name.ends_with("64");
    return found;
}

} // namespace

TEST_CASE("every load extends, places and leaves alone what its name says") {
    const u32 checked = for_rows([](const std::string& name) {
        const Parts parts = parts_of(name);
        const bool is_load =
            (parts.action == "load" || parts.action == "read") && kKinds.contains(parts.kind);
        if (is_load)
            check_load(name, parts);
        return is_load;
    });
    CHECK(checked == 3 * 14 + 10 + 14);
}

TEST_CASE("every store writes the bytes that its name says") {
    const u32 checked = for_rows([](const std::string& name) {
        const Parts parts = parts_of(name);
        const bool is_store =
            (parts.action == "store" || parts.action == "write") && kKinds.contains(parts.kind);
        if (is_store)
            check_store(name, parts);
        return is_store;
    });
    CHECK(checked == 3 * 8 + 7 + 8);
}

TEST_CASE("every integer atomic leaves its result and gives the old value back") {
    const u32 checked = for_rows([](const std::string& name) {
        const AtomicName atomic = atomic_name(name);
        if (atomic.operation.empty())
            return false;
        const bool ds = name.starts_with("ds_");
        for (const bool returns : {false, true})
            if (!ds || returns == atomic.returns) {
                if (atomic.wide)
                    check_atomic<u64>(name, atomic.operation, returns);
                else
                    check_atomic<u32>(name, atomic.operation, returns);
            }
        return true;
    });
    CHECK(checked == 2 * 26 + 1 + 52);
}

TEST_CASE("ds_read2 and ds_write2 move two elements, at offsets in elements or 64 of them") {
    for (const std::string size : {"32", "64"})
        for (const std::string stride : {"", "st64"}) {
            const u32 words = size == "32" ? 1 : 2;
            const u32 unit = 4 * words * (stride.empty() ? 1 : 64);
            OneWave one;
            for (u32 i = 0; i < one.group.lds_bytes; ++i)
                one.group.lds[i] = static_cast<u8>(i * 7 + i / 256);
            for (u32 lane = 0; lane < kLanes; ++lane)
                one.wave.v[2].lane[lane] = lane % 16 * 4 * words;
            run(one,
                "ds_read2" + stride + "_b" + size + " " + registers(10, 2 * words) +
                    ", v2 offset0:1");
            for (u32 lane = 0; lane < kLanes; ++lane)
                for (u32 word = 0; word < 2 * words; ++word) {
                    u32 want = 0;
                    const u32 at =
                        one.wave.v[2].lane[lane] + (word < words ? unit : 0) + 4 * (word % words);
                    std::memcpy(&want, one.group.lds + at, 4);
                    INFO(size << stride << " lane " << lane << " word " << word);
                    CHECK(one.wave.v[10 + word].lane[lane] == want);
                }
            run(one,
                "ds_write2" + stride + "_b" + size + " v2, " + registers(20, words) + ", " +
                    registers(10, words) + " offset1:1");
            for (u32 lane = 0; lane < 16; ++lane) {
                u32 got = 0;
                std::memcpy(&got, one.group.lds + one.wave.v[2].lane[lane] + unit, 4);
                CHECK((stride.empty() || got == one.wave.v[10].lane[lane]));
            }
        }
}
