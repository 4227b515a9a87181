#include "contents.hpp"

#include "kbuild/build/freshness.hpp"
#include "kbuild/process/runner.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace kbuild::build {
namespace {

namespace fs = std::filesystem;
using support::Result;
using Contents = std::map<std::string, FileState>;

fs::path contents_file(const WorkFolder& folder) {
    return folder.root / "contents.json";
}

/// One that cannot be read is none: then Ninja's view of the times is all there is, as at first.
Contents read_contents(const WorkFolder& folder) {
    Contents contents;
    const auto text = support::read_file(contents_file(folder));
    const auto document =
        nlohmann::json::parse(text.value_or(""), nullptr, /*allow_exceptions=*/false);
    if (!document.is_object())
        return contents;
    try {
        for (const auto& [path, entry] : document.items())
            contents[path] = {path,
                              entry.at(0).get<std::int64_t>(),
                              entry.at(1).get<std::int64_t>(),
                              entry.at(2).get<std::int64_t>(),
                              entry.at(3).get<std::uint64_t>(),
                              entry.at(4).get<std::string>()};
    } catch (const nlohmann::json::exception&) {
        contents.clear();
    }
    return contents;
}

Result<void> write_contents(const WorkFolder& folder, const Contents& contents) {
    auto document = nlohmann::json::object();
    for (const auto& [path, state] : contents)
        document[path] = {
            state.size, state.changed, state.seen_changing, state.inode, state.sha256};
    return support::write_file_atomically(
        contents_file(folder),
        document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

/// With its hash; that of a file that nobody touched is known.
Result<FileState> state_with_hash(const fs::path& path, const Contents& known) {
    auto state = support::state_of_file(path);
    const auto before = known.find(path.string());
    if (before != known.end()) {
        state.sha256 = before->second.sha256;
        if (state == before->second)
            return state;
    }
    return hashed_state_of_file(path);
}

Result<Contents> states_with_hashes(const std::vector<fs::path>& files, const Contents& known) {
    Contents now;
    for (const auto& file : files) {
        KB_TRY_ASSIGN(state, state_with_hash(file, known));
        now[file.string()] = std::move(state);
    }
    return now;
}

/// Files with another content than before that are not newer than what Ninja made last.
std::set<fs::path>
unseen_changes(const Contents& before, const Contents& now, std::int64_t last_made) {
    std::set<fs::path> files;
    for (const auto& [path, state] : now) {
        const auto old = before.find(path);
        if (old != before.end() && old->second.sha256 != state.sha256 && state.changed <= last_made)
            files.insert(path);
    }
    return files;
}

/// The outputs that Ninja's record says were made of any of the files.
Result<std::vector<fs::path>> made_of(const std::set<fs::path>& files,
                                      const WorkFolder& folder,
                                      const toolchain::HostTools& tools) {
    std::map<std::string, bool, std::less<>> is_among; // each name is looked up once
    std::set<std::string> outputs;
    KB_TRY(read_dependencies(folder, tools, [&](const std::string& output, std::string_view input) {
        auto known = is_among.find(input);
        if (known == is_among.end()) {
            const bool among = files.count((folder.work / input).lexically_normal()) != 0;
            known = is_among.emplace(std::string(input), among).first;
        }
        if (known->second)
            outputs.insert(output);
    }));
    std::vector<fs::path> paths;
    for (const auto& output : outputs)
        paths.push_back(folder.work / output);
    return paths;
}

} // namespace

Result<void> forget_outdated_objects(const WorkFolder& folder,
                                     const toolchain::HostTools& tools,
                                     const std::vector<fs::path>& files) {
    const auto before = read_contents(folder);
    std::set<fs::path> all(files.begin(), files.end());
    for (const auto& [path, state] : before)
        all.insert(path);
    KB_TRY_ASSIGN(now, states_with_hashes({all.begin(), all.end()}, before));
    const auto log = support::state_of_file(folder.work / ".ninja_log");
    if (const auto changed = unseen_changes(before, now, log.changed); !changed.empty()) {
        KB_TRY_ASSIGN(outputs, made_of(changed, folder, tools));
        for (const auto& output : outputs)
            KB_TRY(support::remove_tree(output));
    }
    std::erase_if(now, [](const auto& entry) { return entry.second.size < 0; });
    return write_contents(folder, now);
}

Result<void> note_contents(const WorkFolder& folder, const std::vector<fs::path>& files) {
    auto contents = read_contents(folder);
    KB_TRY_ASSIGN(now, states_with_hashes(files, contents));
    contents.merge(now);
    return write_contents(folder, contents);
}

} // namespace kbuild::build
