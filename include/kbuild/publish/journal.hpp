#pragma once

#include "kbuild/support/result.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::publish {

/// What an upload has done so far, for the run after one that was interrupted. Objects and commits
/// can be asked of the server; which pull request is this upload's cannot.
struct JournalEntries {
    std::set<std::string> objects;                      ///< SHA-256 of those that arrived
    std::map<std::string, std::uint64_t> pull_requests; ///< by branch
    /// Numbers of the pull requests that were there before ours was opened, by branch: one that is
    /// not among them may be ours.
    std::map<std::string, std::vector<std::uint64_t>> before;
    bool operator==(const JournalEntries&) const = default;
};

std::string write_journal(const JournalEntries& entries);
support::Result<JournalEntries> read_journal(std::string_view json);

/// A journal in a file; holds neither tokens nor addresses. If the file cannot be written the
/// upload goes on without it.
class Journal {
  public:
    /// `file` need not be there. A file that cannot be understood counts as empty.
    explicit Journal(std::filesystem::path file);

    const JournalEntries& entries() const { return entries_; }
    bool resumed() const { return resumed_; }
    /// Why the file is not written (any more).
    const std::optional<std::string>& problem() const { return problem_; }

    void object_arrived(const std::string& sha256);
    void before_pull_request(const std::string& branch, std::vector<std::uint64_t> numbers);
    void pull_request_opened(const std::string& branch, std::uint64_t number);
    /// Everything is done: the file goes.
    void finish();

  private:
    void save();
    std::filesystem::path file_;
    JournalEntries entries_;
    bool resumed_ = false;
    std::optional<std::string> problem_;
};

} // namespace kbuild::publish
