#include "stale_baselines.hpp"

#include "baseline_lock.hpp"

#include "kbuild/portable/baseline.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <chrono>
#include <set>
#include <string>
#include <vector>

namespace kbuild::portable {
namespace {

namespace fs = std::filesystem;
using support::Result;

constexpr std::chrono::hours kDay{24};
constexpr std::chrono::hours kLong = 90 * kDay;

/// What cannot be read counts as new.
bool is_older_than(const fs::path& path, std::chrono::hours age) {
    std::error_code code;
    const auto time = fs::last_write_time(path, code);
    return !code && time < fs::file_time_type::clock::now() - age;
}

} // namespace

void note_use(const fs::path& store, const std::string& memory) {
    const auto file = store / kMemories / memory;
    if (!is_older_than(file, kDay))
        return;
    if (const auto lock = lock_baselines(store)) {
        std::error_code gone; // removed while this one waited
        fs::last_write_time(file, fs::file_time_type::clock::now(), gone);
    }
}

Result<void> remove_stale_baselines(const fs::path& store) {
    std::set<std::string> used;
    const auto memories = support::list_names(store / kMemories);
    for (const auto& name : memories.value_or(std::vector<std::string>())) {
        const auto file = store / kMemories / name;
        if (is_older_than(file, kLong)) {
            KB_TRY(support::remove_tree(file));
            continue;
        }
        KB_TRY_ASSIGN(text, support::read_file(file));
        used.insert(text.substr(0, text.find('\n')));
    }
    KB_TRY_ASSIGN(entries, support::list_names(store));
    for (const auto& entry : entries)
        if (entry.starts_with(kBaselinePrefix) && used.count(entry) == 0 &&
            is_older_than(store / entry, kLong))
            KB_TRY(support::remove_tree(store / entry));
    return {};
}

} // namespace kbuild::portable
