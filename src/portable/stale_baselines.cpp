#include "stale_baselines.hpp"

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

void note_use(const fs::path& memory) {
    std::error_code code;
    if (is_older_than(memory, kDay))
        fs::last_write_time(memory, fs::file_time_type::clock::now(), code);
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
