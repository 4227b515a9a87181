#include "request.hpp"

#include "kbuild/http/url.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kbuild::hub {
namespace {

using nlohmann::ordered_json;
using support::ErrorKind;
using support::Result;

/// The server applies hooks before it answers a commit.
constexpr std::chrono::seconds kCommitPatience{300};

ordered_json header(const Commit& commit) {
    ordered_json value = {{"summary", commit.summary}, {"description", commit.description}};
    if (!commit.parent.empty())
        value["parentCommit"] = commit.parent;
    return value;
}

std::string line(const char* key, ordered_json value) {
    return to_text({{"key", key}, {"value", std::move(value)}}) + "\n";
}

} // namespace

std::string to_ndjson(const Commit& commit) {
    std::string text = line("header", header(commit));
    for (const auto& file : commit.files)
        text += line(
            "file",
            {{"content", to_base64(file.content)}, {"path", file.path}, {"encoding", "base64"}});
    for (const auto& file : commit.lfs_files)
        text += line(
            "lfsFile",
            {{"path", file.path}, {"algo", "sha256"}, {"oid", file.sha256}, {"size", file.size}});
    for (const auto& path : commit.deleted)
        text += line("deletedFile", {{"path", path}});
    return text;
}

Result<CommitOutcome> commit(const Connection& connection,
                             const Repository& repository,
                             const std::string& revision,
                             const Commit& commit) {
    auto request = get(connection,
                       fmt::format("{}/commit/{}{}",
                                   repository.api_path(),
                                   http::encode(revision),
                                   commit.create_pull_request ? "?create_pr=1" : ""));
    request.method = http::Method::post;
    request.headers.push_back({"Content-Type", "application/x-ndjson"});
    request.body = to_ndjson(commit);
    request.repeatable = false;
    request.stall = kCommitPatience;
    const auto response = send(connection, request);
    if (!response && response.error().kind == ErrorKind::network)
        return CommitOutcome{CommitOutcome::Kind::unknown, {}, response.error().message};
    if (!response)
        return tl::unexpected(response.error());
    if (response->status == 409 || response->status == 412)
        return CommitOutcome{CommitOutcome::Kind::moved, {}, refusal(request, *response).message};
    if (response->status >= 500 || response->status == 408)
        return CommitOutcome{CommitOutcome::Kind::unknown, {}, refusal(request, *response).message};
    if (!response->ok())
        return tl::unexpected(refusal(request, *response));
    auto answer = in_context(request, parse_commit(response->body));
    if (!answer)
        return CommitOutcome{CommitOutcome::Kind::unknown, {}, answer.error().message};
    return CommitOutcome{CommitOutcome::Kind::done, std::move(*answer), {}};
}

} // namespace kbuild::hub
