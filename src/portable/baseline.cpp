#include "kbuild/portable/baseline.hpp"

#include "baseline_lock.hpp"
#include "host_libraries.hpp"
#include "make_baseline.hpp"
#include "stale_baselines.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/file_state.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace kbuild::portable {
namespace {

namespace fs = std::filesystem;
using support::Result;

/// Raised when what make_baseline() makes changes.
constexpr int kFormat = 3;

/// A line with a file's state.
std::string state_of(const fs::path& path) {
    const auto state = support::state_of_file(path);
    if (state.size < 0)
        return fmt::format("{}\tnone", path.string());
    constexpr std::int64_t kSecond = 1'000'000'000;
    return fmt::format("{}\t{}\t{}.{}",
                       path.string(),
                       state.size,
                       state.changed / kSecond,
                       state.changed % kSecond);
}

/// By content, so that two machines with the same libraries use baselines of the same name.
Result<std::string> content_key(const HostLibraries& libraries, const BaselineRequest& request) {
    support::Fingerprint key;
    key.add("format", std::to_string(kFormat)).add("policy", request.policy.name);
    key.add("data", request.policy.source + request.policy.date);
    key.add("sources", supplement_sources());
    for (const auto& file : libraries.files()) {
        KB_TRY_ASSIGN(digest, support::sha256_file(file));
        key.add(file.filename().string(), support::to_hex(digest));
    }
    return key.hex().substr(0, 16);
}

/// Remembers which baseline a compiler uses, as long as no file of its libraries changes: hashing
/// them at each start would cost more than everything else that a build without changes does.
struct Memory {
    fs::path file;

    std::optional<std::string> recall() const {
        const auto text = support::read_file(file);
        if (!text)
            return std::nullopt;
        auto lines = support::split(*text, '\n');
        if (lines.size() < 3)
            return std::nullopt;
        for (std::size_t i = 1; i + 1 < lines.size(); ++i)
            if (state_of(lines[i].substr(0, lines[i].find('\t'))) != lines[i])
                return std::nullopt;
        return lines.front();
    }

    Result<void>
    write(const std::string& name, const fs::path& cxx, const HostLibraries& libraries) const {
        auto text = name + "\n" + state_of(cxx) + "\n";
        for (const auto& library : libraries.files())
            text += state_of(library) + "\n";
        return support::write_file_atomically(file, text);
    }
};

Memory memory_of(const fs::path& store, const BaselineRequest& request) {
    const auto key = support::Fingerprint()
                         .add("format", std::to_string(kFormat))
                         .add("policy", request.policy.name + request.policy.date)
                         .add("sources", supplement_sources())
                         .add("cxx", request.cxx.string())
                         .hex();
    return {store / kMemories / key.substr(0, 16)};
}

Baseline baseline_at(const fs::path& folder) {
    Baseline baseline;
    baseline.folder = folder;
    for (const auto& name : linked_first())
        baseline.first.push_back(folder / name);
    return baseline;
}

/// The list of newer names is written last: a folder with it is whole.
bool is_whole(const fs::path& folder) {
    return support::is_file(folder / kNewerNames);
}

Result<void> open_permissions(const fs::path& folder) {
    std::error_code code;
    fs::permissions(folder, fs::perms(0755), code);
    if (code)
        return tl::unexpected(support::errno_error(
            fmt::format("cannot open `{}` to others", folder.string()), code.value()));
    return {};
}

/// To be called under lock_baselines().
Result<void> make_in_store(const fs::path& store,
                           const std::string& name,
                           const HostLibraries& libraries,
                           const BaselineRequest& request,
                           const OnProgress& on_progress) {
    if (on_progress)
        on_progress(fmt::format("making what {} libraries are linked with, once for this compiler",
                                request.policy.name));
    const auto prefix = fmt::format(".tmp-{}-", name);
    KB_TRY_ASSIGN(entries, support::list_names(store));
    for (const auto& entry : entries)
        if (entry.starts_with(prefix)) // of a run that was killed: nobody else has the lock
            KB_TRY(support::remove_tree(store / entry));
    KB_TRY_ASSIGN(staging, support::TempDir::create(store, prefix));
    KB_TRY(make_baseline(staging.path(), libraries, request));
    KB_TRY(open_permissions(staging.path()));
    KB_TRY(support::rename_path(staging.path(), store / name));
    staging.keep();
    return {};
}

} // namespace

Result<Baseline> ensure_baseline(const fs::path& store,
                                 const BaselineRequest& request,
                                 const OnProgress& on_progress) {
    const auto memory = memory_of(store, request);
    if (const auto name = memory.recall()) {
        note_use(store, memory.file.filename().string());
        if (is_whole(store / *name))
            return baseline_at(store / *name);
    }
    KB_TRY_ASSIGN(libraries, find_host_libraries(request.cxx));
    KB_TRY_ASSIGN(lock, lock_baselines(store));
    KB_TRY_ASSIGN(key, content_key(libraries, request));
    const auto name = fmt::format("{}{}-{}", kBaselinePrefix, request.policy.name, key);
    const bool is_new = !is_whole(store / name);
    if (is_new)
        KB_TRY(make_in_store(store, name, libraries, request, on_progress));
    KB_TRY(memory.write(name, request.cxx, libraries));
    if (is_new)
        KB_TRY(remove_stale_baselines(store));
    return baseline_at(store / name);
}

std::vector<std::string> baselines_in(const fs::path& store) {
    std::vector<std::string> baselines;
    const auto names = support::list_names(store);
    for (const auto& name : names.value_or(std::vector<std::string>()))
        if (name.starts_with(kBaselinePrefix) && is_whole(store / name))
            baselines.push_back(name);
    return baselines;
}

Result<void> remove_baseline(const fs::path& store, const std::string& name) {
    KB_TRY_ASSIGN(lock, lock_baselines(store));
    const auto there = baselines_in(store);
    if (std::find(there.begin(), there.end(), name) == there.end())
        return support::fail(support::ErrorKind::usage,
                             fmt::format("there is no link baseline `{}`", name),
                             "`kbuild toolchain list` names those that there are");
    return support::remove_tree(store / name);
}

Result<std::map<std::string, NewerName>> newer_names(const Baseline& baseline) {
    KB_TRY_ASSIGN(text, support::read_file(baseline.folder / kNewerNames));
    std::map<std::string, NewerName> names;
    for (const auto& line : support::split(text, '\n')) {
        const auto words = support::split(line, ' ');
        if (words.size() == 3)
            names[words[0]] = {words[2], words[1]};
    }
    return names;
}

} // namespace kbuild::portable
