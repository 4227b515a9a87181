#include "kbuild/precompile/precompiled.hpp"

#include "compiler_command.hpp"
#include "dependency_file.hpp"
#include "words.hpp"

#include "kbuild/process/runner.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/file_lock.hpp"
#include "kbuild/support/file_state.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unistd.h>

namespace kbuild::precompile {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

std::string index_line(const fs::path& header) {
    const auto state = support::state_of_file(header);
    return fmt::format("{} {} {}\n", state.size, state.changed, header.string());
}

/// `<size> <time> <path>` as index_line() wrote it.
fs::path path_in(std::string_view line) {
    const auto first = line.find(' ');
    const auto second = line.find(' ', first + 1);
    return second == std::string_view::npos ? fs::path() : fs::path(line.substr(second + 1));
}

/// The headers that an index names, if all are as they were then.
Result<std::vector<fs::path>> unchanged_headers(std::string_view index) {
    std::vector<fs::path> headers;
    for (const auto& line : support::split(index, '\n')) {
        if (line.empty())
            continue;
        auto path = path_in(line);
        if (index_line(path) != line + "\n")
            return support::fail(
                ErrorKind::nothing,
                fmt::format("`{}` changed since it was precompiled", support::display_path(path)));
        headers.push_back(std::move(path));
    }
    return headers;
}

fs::file_time_type newest(const std::vector<fs::path>& headers) {
    auto time = fs::file_time_type::min();
    std::error_code ignored;
    for (const auto& header : headers)
        time = std::max(time, fs::last_write_time(header, ignored));
    return time;
}

/// Writes what is known of the headers that were read.
Result<void> describe(const Request& request, const Place& place) {
    KB_TRY_ASSIGN(text, support::read_file(place.dependencies()));
    auto headers = read_dependencies(text);
    std::sort(headers.begin(), headers.end());
    headers.erase(std::unique(headers.begin(), headers.end()), headers.end());
    std::erase(headers, place.source());
    std::unordered_set<std::string> words;
    support::Fingerprint content;
    content.add("key", key_of(request));
    std::string index;
    for (const auto& header : headers) {
        KB_TRY_ASSIGN(header_text, support::read_file(header));
        collect_words(header_text, words);
        content.add(header.string(), header_text);
        index += index_line(header);
    }
    // As old as what it holds: one that is made again is no reason to compile again.
    std::error_code kept_as_new;
    fs::last_write_time(place.binary(), newest(headers), kept_as_new);
    KB_TRY(support::write_file_atomically(place.words(), word_list(words)));
    KB_TRY(support::write_file_atomically(place.checksum(), content.hex() + "\n"));
    return support::write_file_atomically(place.index(), index);
}

/// The text of a compiler's first error of a source line; empty if it made none.
std::string first_error(std::string_view printed) {
    for (const auto& line : support::split(printed, '\n'))
        if (support::contains(line, ": error: ") || support::contains(line, ": fatal error: "))
            return line;
    return {};
}

tl::unexpected<support::Error> refused(const std::string& error, process::ExitStatus status) {
    return support::fail(
        ErrorKind::failed,
        fmt::format("its headers cannot be precompiled by themselves: {}",
                    error.empty() ? "the compiler ended with " + status.describe() : error));
}

Result<void> make(const Request& request, const Place& place) {
    KB_TRY(support::remove_tree(place.index()));
    KB_TRY(support::write_file_atomically(place.source(), source_text(request)));
    const auto command = compiler_command(request, place);
    process::RunOptions options;
    options.merge_stderr = true;
    KB_TRY_ASSIGN(output, process::run(command, options));
    if (output.status.ok())
        return describe(request, place);
    // Not what the next try could change, such as a full disk.
    const auto error = first_error(output.out);
    if (!error.empty())
        KB_TRY(support::write_file_atomically(place.refusal(), error));
    return refused(error, output.status);
}

} // namespace

bool Precompiled::mentions(std::string_view name) const {
    return support::contains(identifiers, fmt::format("\n{}\n", name));
}

bool Precompiled::shadowed_by(const fs::path& folder, const std::vector<std::string>& roots) const {
    const auto names = support::list_names(folder);
    if (!names)
        return false;
    const std::set<std::string> own(names->begin(), names->end());
    for (const auto& header : headers) {
        const auto path = header.string();
        const auto root =
            std::find_if(roots.begin(), roots.end(), [&](const std::string& candidate) {
                return path.starts_with(candidate + "/");
            });
        // What is in no known folder (the compiler's own) may be spelled from any of its parts on.
        std::size_t at = root == roots.end() ? 1 : root->size() + 1;
        while (at != 0 && at < path.size()) {
            const auto part = path.substr(at, path.find('/', at) - at);
            if (own.contains(part) && support::is_file(folder / path.substr(at)))
                return true;
            at = root == roots.end() ? path.find('/', at) + 1 : 0;
        }
    }
    return false;
}

fs::path default_folder() {
    const auto beside_sdks = support::data_home();
    return ::access(beside_sdks.c_str(), W_OK) == 0 ? beside_sdks / "precompiled"
                                                    : support::cache_home() / "precompiled";
}

Result<Precompiled> find(const fs::path& folder, const Request& request) {
    const Place place{folder / key_of(request)};
    const auto index = support::read_file(place.index());
    if (!index || !support::is_file(place.binary()))
        return support::fail(ErrorKind::nothing, "it was not precompiled yet");
    KB_TRY_ASSIGN(headers, unchanged_headers(*index));
    KB_TRY_ASSIGN(words, support::read_file(place.words()));
    std::error_code ignored; // of a cache that may only be read
    fs::last_write_time(place.index(), fs::file_time_type::clock::now(), ignored);
    return Precompiled{place.binary(), std::move(headers), std::move(words)};
}

Result<Precompiled> ensure(const fs::path& folder, const Request& request) {
    if (auto found = find(folder, request))
        return found;
    const Place place{folder / key_of(request)};
    if (const auto refusal = support::read_file(place.refusal()))
        return refused(*refusal, {});
    KB_TRY(support::make_folder(place.folder));
    KB_TRY_ASSIGN(lock,
                  support::FileLock::acquire(place.folder / "lock", std::chrono::minutes(15)));
    if (auto found = find(folder, request))
        return found;
    KB_TRY(make(request, place));
    return find(folder, request);
}

} // namespace kbuild::precompile
