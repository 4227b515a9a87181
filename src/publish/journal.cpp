#include "kbuild/publish/journal.hpp"

#include "kbuild/support/file.hpp"

#include <nlohmann/json.hpp>

namespace kbuild::publish {
namespace {

using nlohmann::ordered_json;
using support::Result;

constexpr int kSchema = 1;
constexpr std::uintmax_t kMaxJournal = std::uintmax_t{64} << 20U;
constexpr int kPrivate = 0600;

tl::unexpected<support::Error> damaged() {
    return support::fail(support::ErrorKind::failed, "the journal is damaged");
}

} // namespace

std::string write_journal(const JournalEntries& entries) {
    const ordered_json document = {{"schema", kSchema},
                                   {"objects", entries.objects},
                                   {"pull_requests", entries.pull_requests},
                                   {"before", entries.before}};
    return document.dump(2) + "\n";
}

Result<JournalEntries> read_journal(std::string_view json) {
    // Every way in which the types can be wrong is an exception of the library.
    try {
        const auto document = ordered_json::parse(json);
        if (document.at("schema") != kSchema)
            return damaged();
        JournalEntries entries;
        document.at("objects").get_to(entries.objects);
        document.at("pull_requests").get_to(entries.pull_requests);
        document.at("before").get_to(entries.before);
        return entries;
    } catch (const ordered_json::exception&) {
        return damaged();
    }
}

Journal::Journal(std::filesystem::path file) : file_(std::move(file)) {
    const auto text = support::read_file(file_, kMaxJournal);
    if (!text)
        return;
    if (auto entries = read_journal(*text)) {
        entries_ = std::move(*entries);
        resumed_ = true;
    }
}

void Journal::object_arrived(const std::string& sha256) {
    if (entries_.objects.insert(sha256).second)
        save();
}

void Journal::before_pull_request(const std::string& branch, std::vector<std::uint64_t> numbers) {
    entries_.before[branch] = std::move(numbers);
    save();
}

void Journal::pull_request_opened(const std::string& branch, std::uint64_t number) {
    entries_.pull_requests[branch] = number;
    save();
}

void Journal::finish() {
    static_cast<void>(support::remove_tree(file_));
}

void Journal::save() {
    if (problem_)
        return;
    const auto written = support::write_file_atomically(file_, write_journal(entries_), kPrivate);
    if (!written)
        problem_ = written.error().message;
}

} // namespace kbuild::publish
