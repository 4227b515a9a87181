#include "kbuild/hub/api.hpp"

#include "request.hpp"

#include "kbuild/http/url.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <openssl/evp.h>

#include <algorithm>
#include <map>

namespace kbuild::hub {
namespace {

using nlohmann::ordered_json;
using support::ErrorKind;
using support::Result;

constexpr std::size_t kPreuploadFiles = 256; ///< in one request, as huggingface_hub does
constexpr std::size_t kMaxPages = 10000;

/// `<https://…>; rel="next"` of a Link header, which must stay at the endpoint.
std::optional<std::string> next_page(const http::Response& response) {
    const auto link = response.header("link");
    if (!link || link->find("rel=\"next\"") == std::string::npos)
        return std::nullopt;
    const auto begin = link->find('<');
    const auto end = link->find('>', begin);
    if (begin == std::string::npos || end == std::string::npos)
        return std::nullopt;
    return http::resolve(response.url, link->substr(begin + 1, end - begin - 1));
}

/// The repository that a URL such as `https://host/kernels/owner/name` names.
Result<Repository> repository_of(const std::string& url, const Repository& asked) {
    const auto parts = support::split(http::shown(url), '/');
    if (parts.size() < 2)
        return asked;
    auto named = Repository::parse(asked.type, parts[parts.size() - 2] + "/" + parts.back());
    if (!named)
        return asked;
    return std::move(*named);
}

Result<std::vector<PreuploadFile>> preupload_some(const Connection& connection,
                                                  const std::string& path,
                                                  const std::vector<Candidate>& files) {
    auto list = ordered_json::array();
    for (const auto& file : files)
        list.push_back(
            {{"path", file.path}, {"sample", to_base64(file.sample)}, {"size", file.size}});
    const auto request = post_json(connection, path, to_text({{"files", std::move(list)}}));
    KB_TRY_ASSIGN(response, send_ok(connection, request));
    KB_TRY_ASSIGN(answers, parse_preupload(response.body));
    std::map<std::string, PreuploadFile> by_path;
    for (auto& answer : answers)
        by_path[answer.path] = std::move(answer);
    std::vector<PreuploadFile> ordered;
    for (const auto& file : files) {
        const auto found = by_path.find(file.path);
        if (found == by_path.end())
            return support::fail(ErrorKind::network,
                                 fmt::format("{}: the server says nothing about `{}`",
                                             http::describe(request),
                                             file.path));
        found->second.lfs = found->second.lfs && file.size > 0;
        ordered.push_back(found->second);
    }
    return ordered;
}

http::Request file_request(const Connection& connection,
                           const Repository& repository,
                           const std::string& revision,
                           const std::string& path) {
    return get(connection,
               fmt::format("{}/resolve/{}/{}",
                           repository.page_path(),
                           http::encode(revision),
                           http::encode(path, true)));
}

} // namespace

std::string to_base64(std::string_view bytes) {
    std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
    EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                    reinterpret_cast<const unsigned char*>(bytes.data()),
                    static_cast<int>(bytes.size()));
    text.pop_back();
    return text;
}

std::string to_text(const ordered_json& value) {
    return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

http::Request get(const Connection& connection, const std::string& path) {
    http::Request request{.url = connection.endpoint + path};
    if (!connection.token.empty())
        request.authorization = http::bearer(connection.token);
    return request;
}

http::Request post_json(const Connection& connection, const std::string& path, std::string body) {
    auto request = get(connection, path);
    request.method = http::Method::post;
    request.headers.push_back({"Content-Type", "application/json"});
    request.body = std::move(body);
    return request;
}

Result<http::Response> send(const Connection& connection, const http::Request& request) {
    return http::send(connection.transport, request, connection.retry, connection.pause);
}

Result<http::Response> send_ok(const Connection& connection, const http::Request& request) {
    KB_TRY_ASSIGN(response, send(connection, request));
    if (!response.ok())
        return tl::unexpected(refusal(request, response));
    return response;
}

Result<WhoAmI> whoami(const Connection& connection) {
    const auto request = get(connection, "/api/whoami-v2");
    KB_TRY_ASSIGN(response, send_ok(connection, request));
    return in_context(request, parse_whoami(response.body));
}

Result<std::optional<Refs>>
refs(const Connection& connection, const Repository& repository, bool pull_requests) {
    const auto request =
        get(connection, repository.api_path() + "/refs" + (pull_requests ? "?include_prs=1" : ""));
    KB_TRY_ASSIGN(response, send(connection, request));
    const bool hidden =
        response.status == 404 ||
        (response.status == 401 && response.header("x-error-code") == "RepoNotFound");
    if (hidden)
        return std::nullopt;
    if (!response.ok())
        return tl::unexpected(refusal(request, response));
    return in_context(request, parse_refs(response.body));
}

Result<Repository>
create_repository(const Connection& connection, const Repository& repository, bool is_private) {
    ordered_json body = {{"name", repository.name}, {"organization", repository.owner}};
    if (is_private)
        body["visibility"] = "private";
    if (repository.type != RepositoryType::model)
        body["type"] = to_string(repository.type);
    const auto request = post_json(connection, "/api/repos/create", to_text(body));
    KB_TRY_ASSIGN(response, send(connection, request));
    if (!response.ok() && response.status != 409)
        return tl::unexpected(refusal(request, response));
    KB_TRY_ASSIGN(created, in_context(request, parse_created(response.body)));
    return repository_of(created.url, repository);
}

Result<void> create_branch(const Connection& connection,
                           const Repository& repository,
                           const std::string& branch,
                           const std::string& start) {
    const auto request = post_json(connection,
                                   repository.api_path() + "/branch/" + http::encode(branch),
                                   to_text({{"startingPoint", start}}));
    KB_TRY_ASSIGN(response, send(connection, request));
    if (!response.ok() && response.status != 409)
        return tl::unexpected(refusal(request, response));
    return {};
}

Result<std::vector<TreeFile>>
tree(const Connection& connection, const Repository& repository, const std::string& revision) {
    std::vector<TreeFile> all;
    auto request = get(connection,
                       fmt::format("{}/tree/{}?recursive=true&expand=false",
                                   repository.api_path(),
                                   http::encode(revision)));
    for (std::size_t page = 0; page < kMaxPages; ++page) {
        KB_TRY_ASSIGN(response, send_ok(connection, request));
        KB_TRY_ASSIGN(files, in_context(request, parse_tree(response.body)));
        all.insert(all.end(), files.begin(), files.end());
        const auto next = next_page(response);
        if (!next) {
            std::sort(all.begin(), all.end(), [](const TreeFile& a, const TreeFile& b) {
                return a.path < b.path;
            });
            return all;
        }
        if (http::origin_of(*next) != http::origin_of(connection.endpoint))
            request.authorization = http::Secret();
        request.url = *next;
    }
    return support::fail(ErrorKind::network,
                         fmt::format("{}: the listing has no end", http::describe(request)));
}

Result<std::vector<PreuploadFile>> preupload(const Connection& connection,
                                             const Repository& repository,
                                             const std::string& revision,
                                             const std::vector<Candidate>& files,
                                             bool create_pull_request) {
    const auto path = fmt::format("{}/preupload/{}{}",
                                  repository.api_path(),
                                  http::encode(revision),
                                  create_pull_request ? "?create_pr=1" : "");
    std::vector<PreuploadFile> all;
    for (std::size_t at = 0; at < files.size(); at += kPreuploadFiles) {
        const auto count = std::min(kPreuploadFiles, files.size() - at);
        const auto first = files.begin() + static_cast<std::ptrdiff_t>(at);
        KB_TRY_ASSIGN(
            some,
            preupload_some(connection, path, {first, first + static_cast<std::ptrdiff_t>(count)}));
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

Result<void> download(const Connection& connection,
                      const Repository& repository,
                      const std::string& revision,
                      const std::string& path,
                      const http::FileTarget& target,
                      const std::function<void(std::int64_t)>& on_bytes) {
    auto request = file_request(connection, repository, revision, path);
    request.into = target;
    request.on_bytes = on_bytes;
    KB_TRY(send_ok(connection, request));
    return {};
}

Result<std::optional<std::string>> read_text(const Connection& connection,
                                             const Repository& repository,
                                             const std::string& revision,
                                             const std::string& path) {
    const auto request = file_request(connection, repository, revision, path);
    KB_TRY_ASSIGN(response, send(connection, request));
    if (response.status == 404)
        return std::nullopt;
    if (!response.ok())
        return tl::unexpected(refusal(request, response));
    return std::move(response.body);
}

std::string
tree_url(const Connection& connection, const Repository& repository, const std::string& revision) {
    return fmt::format(
        "{}{}/tree/{}", connection.endpoint, repository.page_path(), http::encode(revision, true));
}

} // namespace kbuild::hub
