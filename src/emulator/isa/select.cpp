#include "isa/table.hpp"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

namespace kbuild::emulator {
namespace {

struct Level {
    std::string_view name;
    bool usable;
    std::vector<std::span<const Row>> (*tables)();
};

const Level& level() {
    static const Level chosen = [] {
        const bool v3 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
                        __builtin_cpu_supports("bmi2") != 0;
        const bool v4 =
            v3 && __builtin_cpu_supports("avx512f") != 0 &&
            __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512cd") != 0 &&
            __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
        const Level levels[] = {{"x86-64-v4", v4, &lanes_v4::tables},
                                {"x86-64-v3", v3, &lanes_v3::tables},
                                {"x86-64", true, &lanes_v1::tables}};
        const char* const asked = std::getenv("KBUILD_EMULATE_HOST");
        for (const auto& one : levels)
            if (one.usable && asked != nullptr && one.name == asked)
                return one;
        return *std::find_if(
            std::begin(levels), std::end(levels), [](const Level& one) { return one.usable; });
    }();
    return chosen;
}

const std::unordered_map<std::string_view, const Row*>& index() {
    static const auto rows = [] {
        std::unordered_map<std::string_view, const Row*> by_name;
        for (const auto table : level().tables())
            for (const Row& row : table)
                by_name.emplace(row.name, &row);
        return by_name;
    }();
    return rows;
}

} // namespace

const Row* find_row(std::string_view name) {
    const auto found = index().find(name);
    return found == index().end() ? nullptr : found->second;
}

std::vector<const Row*> all_rows() {
    std::vector<const Row*> rows;
    for (const auto& [name, row] : index())
        rows.push_back(row);
    std::sort(
        rows.begin(), rows.end(), [](const Row* a, const Row* b) { return a->name < b->name; });
    return rows;
}

std::string_view host_level() {
    return level().name;
}

std::string_view unit_name(Unit unit) {
    static constexpr std::string_view kNames[] = {"salu",
                                                  "smem",
                                                  "valu",
                                                  "trans",
                                                  "mfma",
                                                  "lds",
                                                  "global",
                                                  "flat",
                                                  "scratch",
                                                  "buffer",
                                                  "branch",
                                                  "other"};
    return kNames[static_cast<std::size_t>(unit)];
}

} // namespace kbuild::emulator
