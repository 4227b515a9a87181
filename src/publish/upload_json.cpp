#include "kbuild/publish/upload.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace kbuild::publish {
namespace {

using nlohmann::ordered_json;

bool any(const UploadResult& result, BranchResult::Kind kind) {
    return std::any_of(result.branches.begin(),
                       result.branches.end(),
                       [kind](const BranchResult& b) { return b.kind == kind; });
}

std::string_view status(const UploadResult& result) {
    if (any(result, BranchResult::Kind::pull_request))
        return "pull_request_created";
    return any(result, BranchResult::Kind::committed) ? "uploaded" : "no_changes";
}

std::string url_of(const UploadResult& result, const std::string& endpoint) {
    if (!result.url.empty())
        return result.url;
    return fmt::format("{}{}/tree/{}", endpoint, result.repository.page_path(), result.branch);
}

} // namespace

std::string to_json(const UploadResult& result, const std::string& endpoint) {
    auto pull_requests = ordered_json::array();
    auto branches = ordered_json::array();
    for (const auto& branch : result.branches) {
        if (branch.pull_request)
            pull_requests.push_back({{"branch", branch.branch},
                                     {"url", branch.pull_request_url},
                                     {"number", *branch.pull_request}});
        branches.push_back(
            {{"branch", branch.branch},
             {"commit", branch.commit.empty() ? ordered_json() : ordered_json(branch.commit)}});
    }
    const ordered_json document = {{"status", status(result)},
                                   {"repo_id", result.repository.id()},
                                   {"branch", result.branch},
                                   {"url", url_of(result, endpoint)},
                                   {"pull_requests", std::move(pull_requests)},
                                   {"schema", 1},
                                   {"repo_type", hub::to_string(result.repository.type)},
                                   {"branches", std::move(branches)},
                                   {"objects",
                                    {{"sent", result.objects.sent},
                                     {"present", result.objects.present},
                                     {"bytes", result.objects.bytes}}}};
    return document.dump(2) + "\n";
}

} // namespace kbuild::publish
