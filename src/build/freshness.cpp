#include "kbuild/build/freshness.hpp"

#include "kbuild/process/runner.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/strings.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace kbuild::build {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using support::Result;
using support::state_of_file;

/// Raised when the stamp's form or meaning changes.
constexpr int kFormat = 2;
/// What Ninja tells of dependencies is used as it comes.
constexpr std::size_t kKeptOfRecord = 4096;

fs::path stamp_file(const WorkFolder& folder) {
    return folder.root / "stamp";
}

Json to_json(const std::vector<FileState>& states) {
    auto list = Json::array();
    for (const auto& state : states)
        list.push_back({state.path.string(),
                        state.size,
                        state.changed,
                        state.seen_changing,
                        state.inode,
                        state.sha256});
    return list;
}

std::vector<FileState> states_from(const Json& list) {
    std::vector<FileState> states;
    for (const auto& entry : list)
        states.push_back({entry.at(0).get<std::string>(),
                          entry.at(1).get<std::int64_t>(),
                          entry.at(2).get<std::int64_t>(),
                          entry.at(3).get<std::int64_t>(),
                          entry.at(4).get<std::uint64_t>(),
                          entry.at(5).get<std::string>()});
    return states;
}

/// Stands in the first line, of all that follows: a damaged stamp must not tell anything.
std::string checksum_of(std::string_view body) {
    support::Fingerprint print;
    return print.add("stamp", body).hex();
}

/// A stamp that cannot be read is none: the build then finds out for itself.
std::optional<Stamp> read_stamp(const fs::path& file) {
    const auto text = support::read_file(file);
    if (!text)
        return std::nullopt;
    const auto end = text->find('\n');
    if (end == std::string::npos)
        return std::nullopt;
    const auto body = std::string_view(*text).substr(end + 1);
    if (text->substr(0, end) != checksum_of(body))
        return std::nullopt;
    try {
        const auto document = Json::parse(body);
        if (document.at("format") != kFormat)
            return std::nullopt;
        return Stamp{document.at("request").get<std::string>(),
                     states_from(document.at("inputs")),
                     states_from(document.at("outputs")),
                     document.at("remarks").get<std::vector<std::string>>(),
                     document.at("text").get<std::string>(),
                     document.at("json").get<std::string>()};
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

/// By its time, or, where only that differs, by its content. A clock that goes backwards gives
/// another time as well, never the same.
bool is_unchanged(const FileState& before) {
    const auto now = state_of_file(before.path);
    if (now.size != before.size)
        return false;
    if (now.size < 0 || (now.changed == before.changed && now.inode == before.inode &&
                         now.seen_changing == before.seen_changing))
        return true;
    if (before.sha256.empty())
        return false;
    const auto hashed = hashed_state_of_file(before.path);
    return hashed && hashed->sha256 == before.sha256;
}

bool all_unchanged(const std::vector<FileState>& states) {
    return std::all_of(states.begin(), states.end(), is_unchanged);
}

bool is_below(const std::string& path, const std::vector<std::string>& folders) {
    return std::any_of(folders.begin(), folders.end(), [&path](const std::string& folder) {
        return path.starts_with(folder);
    });
}

} // namespace

Result<FileState> hashed_state_of_file(const fs::path& path) {
    auto state = state_of_file(path); // first: a change in between shows as another time later
    if (state.size < 0)
        return state;
    KB_TRY_ASSIGN(digest, support::sha256_file(path));
    state.sha256 = support::to_hex(digest);
    return state;
}

Result<void> read_dependencies(const WorkFolder& folder,
                               const toolchain::HostTools& tools,
                               const OnDependency& on_dependency) {
    process::Command command;
    command.program = tools.ninja;
    command.arguments = {"-t", "deps"};
    command.folder = folder.work;
    command.environment = process::clean_environment();
    process::RunOptions how;
    how.keep_bytes = kKeptOfRecord;
    how.on_line = [&, step = std::string()](std::string_view line) mutable {
        // `object: #deps 12, deps mtime 17 (VALID)`, then an indented line for each file.
        if (line.starts_with("    ") && !step.empty())
            on_dependency(step, support::trim(line));
        else if (const auto end = line.find(": #deps "); end != std::string_view::npos)
            step = line.substr(0, end);
    };
    KB_TRY_ASSIGN(output, process::run(command, how));
    if (!output.status.ok())
        return support::fail(support::ErrorKind::failed, "Ninja cannot tell what it read");
    return {};
}

Result<std::vector<fs::path>> compiled_from(const WorkFolder& folder,
                                            const toolchain::HostTools& tools,
                                            const std::vector<fs::path>& immutable) {
    std::set<std::string, std::less<>> read;
    KB_TRY(read_dependencies(folder, tools, [&read](const std::string&, std::string_view input) {
        if (read.find(input) == read.end())
            read.emplace(input);
    }));
    std::vector<std::string> skipped{folder.root.string() + "/"};
    for (const auto& root : immutable)
        skipped.push_back(root.string() + "/");
    std::set<fs::path> files;
    for (const auto& name : read) {
        auto path = (folder.work / name).lexically_normal();
        if (!is_below(path.string(), skipped))
            files.insert(std::move(path));
    }
    return std::vector<fs::path>(files.begin(), files.end());
}

bool changed_between(const std::vector<FileState>& inputs, std::int64_t start, std::int64_t end) {
    return std::any_of(inputs.begin(), inputs.end(), [start, end](const FileState& state) {
        return state.seen_changing >= start && state.seen_changing <= end;
    });
}

std::optional<Stamp> fresh_stamp(const WorkFolder& folder, const std::string& request) {
    auto stamp = read_stamp(stamp_file(folder));
    if (!stamp || stamp->request != request || !all_unchanged(stamp->outputs) ||
        !all_unchanged(stamp->inputs))
        return std::nullopt;
    return stamp;
}

Result<void> write_stamp(const WorkFolder& folder, const Stamp& stamp) {
    const Json document = {{"format", kFormat},
                           {"request", stamp.request},
                           {"inputs", to_json(stamp.inputs)},
                           {"outputs", to_json(stamp.outputs)},
                           {"remarks", stamp.remarks},
                           {"text", stamp.text},
                           {"json", stamp.json}};
    const auto body = document.dump(-1, ' ', false, Json::error_handler_t::replace);
    return support::write_file_atomically(stamp_file(folder), checksum_of(body) + "\n" + body);
}

Result<void> remove_stamp(const WorkFolder& folder) {
    return support::remove_tree(stamp_file(folder));
}

} // namespace kbuild::build
