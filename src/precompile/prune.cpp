#include "compiler_command.hpp"

#include "kbuild/precompile/precompiled.hpp"
#include "kbuild/support/file.hpp"

#include <algorithm>
#include <tuple>

namespace kbuild::precompile {
namespace {

namespace fs = std::filesystem;
using support::Result;

struct Entry {
    fs::file_time_type used;
    fs::path folder;
    std::uintmax_t bytes = 0;
};

Result<Entry> entry_at(const fs::path& folder) {
    Entry entry{fs::file_time_type::min(), folder, 0};
    KB_TRY_ASSIGN(files, support::list_files(folder));
    for (const auto& file : files)
        entry.bytes += support::size_of_file(folder / file);
    // Without an index: one that is being made, or was when its maker was killed.
    std::error_code error;
    const Place place{folder};
    const auto used =
        fs::last_write_time(support::is_file(place.index()) ? place.index() : place.folder, error);
    if (!error)
        entry.used = used;
    return entry;
}

} // namespace

Result<std::uintmax_t>
prune(const fs::path& folder, std::uintmax_t bytes, std::chrono::seconds keep) {
    KB_TRY_ASSIGN(names, support::list_names(folder));
    std::vector<Entry> entries;
    std::uintmax_t total = 0;
    for (const auto& name : names) {
        KB_TRY_ASSIGN(entry, entry_at(folder / name));
        total += entry.bytes;
        entries.push_back(std::move(entry));
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return std::tie(a.used, a.folder) < std::tie(b.used, b.folder);
    });
    const auto limit = fs::file_time_type::clock::now() - keep;
    std::uintmax_t removed = 0;
    for (const auto& entry : entries) {
        if (total - removed <= bytes || entry.used > limit)
            break;
        KB_TRY(support::remove_tree(entry.folder));
        removed += entry.bytes;
    }
    return removed;
}

} // namespace kbuild::precompile
