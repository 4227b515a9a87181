#include "branch_commit.hpp"

#include "kbuild/support/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>

namespace kbuild::publish {
namespace {

using hub::CommitOutcome;
using support::ErrorKind;
using support::Result;

constexpr unsigned kAttempts = 4;
constexpr std::string_view kPullRequests = "refs/pr/";

std::optional<std::uint64_t> number_of(const hub::Ref& ref) {
    const auto text = std::string_view(ref.name);
    if (!text.starts_with(kPullRequests))
        return std::nullopt;
    std::uint64_t number = 0;
    const auto* const end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data() + kPullRequests.size(), end, number);
    return code == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

Result<hub::Refs> all_refs(const Run& run) {
    KB_TRY_ASSIGN(refs, hub::refs(run.connection, run.options.repository, true));
    return refs ? std::move(*refs) : hub::Refs();
}

/// A pull request that is not among those known before and holds what the plan wants: the one that
/// a lost answer was about.
Result<std::optional<hub::Ref>> find_own_pull_request(const Run& run, const BranchPlan& plan) {
    const auto before = run.journal.entries().before.find(plan.branch);
    if (before == run.journal.entries().before.end())
        return std::nullopt;
    KB_TRY_ASSIGN(refs, all_refs(run));
    for (const auto& ref : refs.pull_requests) {
        const auto number = number_of(ref);
        const auto& known = before->second;
        if (!number || std::find(known.begin(), known.end(), *number) != known.end())
            continue;
        KB_TRY_ASSIGN(files, hub::tree(run.connection, run.options.repository, ref.commit));
        if (difference(plan, files))
            continue;
        run.journal.pull_request_opened(plan.branch, *number);
        return ref;
    }
    return std::nullopt;
}

/// Notes which pull requests are there, before one is opened.
Result<void> note_pull_requests(const Run& run, const BranchPlan& plan) {
    KB_TRY_ASSIGN(refs, all_refs(run));
    std::vector<std::uint64_t> numbers;
    for (const auto& ref : refs.pull_requests)
        if (const auto number = number_of(ref))
            numbers.push_back(*number);
    run.journal.before_pull_request(plan.branch, std::move(numbers));
    return {};
}

Result<std::string> head_of(const Run& run, const std::string& revision) {
    KB_TRY_ASSIGN(refs, all_refs(run));
    for (const auto* const list : {&refs.branches, &refs.pull_requests})
        for (const auto& ref : *list)
            if (ref.name == revision)
                return ref.commit;
    return std::string();
}

/// What is known after a commit without a clear answer: none if it was not made.
Result<std::optional<Landing>> look(const Run& run, const BranchPlan& plan, const Destination& to) {
    if (to.create_pull_request) {
        KB_TRY_ASSIGN(own, find_own_pull_request(run, plan));
        return own ? std::optional(Landing{false, own->commit}) : std::nullopt;
    }
    KB_TRY_ASSIGN(head, head_of(run, to.revision));
    if (head == plan.parent || head.empty())
        return std::nullopt;
    KB_TRY_ASSIGN(files, hub::tree(run.connection, run.options.repository, head));
    return Landing{difference(plan, files).has_value(), head};
}

Result<Landing> landed(const Run& run, const BranchPlan& plan, const hub::CommitAnswer& answer) {
    if (const auto number = hub::pull_request_number(answer.pull_request_url))
        run.journal.pull_request_opened(plan.branch, *number);
    return Landing{false, answer.commit};
}

} // namespace

Result<std::string> read_start(const std::filesystem::path& path, std::size_t count) {
    std::ifstream file(path, std::ios::binary);
    std::string text(count, '\0');
    file.read(text.data(), static_cast<std::streamsize>(count));
    if (!file.is_open() || file.bad())
        return support::fail(ErrorKind::failed,
                             fmt::format("`{}` cannot be read", support::display_path(path)));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

Result<Destination> destination(const Run& run, const BranchPlan& plan) {
    if (!run.options.pull_request)
        return Destination{plan.branch, false};
    const auto& numbers = run.journal.entries().pull_requests;
    if (!numbers.contains(plan.branch) && plan.has_changes())
        KB_TRY(find_own_pull_request(run, plan));
    if (const auto found = numbers.find(plan.branch); found != numbers.end())
        return Destination{fmt::format("{}{}", kPullRequests, found->second), false};
    return Destination{plan.branch, true};
}

Result<Landing>
land(const Run& run, const BranchPlan& plan, const Destination& to, const hub::Commit& commit) {
    if (to.create_pull_request)
        KB_TRY(note_pull_requests(run, plan));
    for (unsigned attempt = 1;; ++attempt) {
        KB_TRY_ASSIGN(outcome,
                      hub::commit(run.connection, run.options.repository, to.revision, commit));
        if (outcome.kind == CommitOutcome::Kind::done)
            return landed(run, plan, outcome.answer);
        KB_TRY_ASSIGN(seen, look(run, plan, to));
        if (seen)
            return *seen;
        if (outcome.kind == CommitOutcome::Kind::moved && attempt > 1)
            return Landing{true, {}};
        if (attempt == kAttempts)
            return support::fail(ErrorKind::network,
                                 fmt::format("the commit was not made: {}", outcome.reason),
                                 "run the same command again: what was sent is not sent again");
        const auto wait =
            http::back_off(run.connection.retry, attempt, run.connection.pause.chance());
        if (!run.connection.pause.wait(wait))
            return support::fail(ErrorKind::interrupted, "interrupted");
    }
}

} // namespace kbuild::publish
