#include "kbuild/hub/lfs.hpp"

#include "lfs_transfer.hpp"
#include "request.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace kbuild::hub {
namespace {

using nlohmann::ordered_json;
using support::ErrorKind;
using support::Result;

constexpr std::size_t kBatch = 256;
constexpr unsigned kRounds = 4; ///< how often addresses of one object are asked for
constexpr const char* kMediaType = "application/vnd.git-lfs+json";

std::vector<LfsObject> distinct(std::vector<LfsObject> objects) {
    // Large ones first, so that the last ones to end are small.
    std::sort(objects.begin(), objects.end(), [](const LfsObject& a, const LfsObject& b) {
        return std::tie(b.size, a.sha256) < std::tie(a.size, b.sha256);
    });
    objects.erase(
        std::unique(objects.begin(),
                    objects.end(),
                    [](const LfsObject& a, const LfsObject& b) { return a.sha256 == b.sha256; }),
        objects.end());
    return objects;
}

http::Request batch_request(const LfsRemote& remote, const std::vector<LfsObject>& objects) {
    auto list = ordered_json::array();
    for (const auto& object : objects)
        list.push_back({{"oid", object.sha256}, {"size", object.size}});
    ordered_json body = {{"operation", "upload"},
                         {"transfers", {"basic", "multipart"}},
                         {"objects", std::move(list)},
                         {"hash_algo", "sha256"}};
    if (!remote.ref.empty())
        body["ref"] = {{"name", remote.ref}};
    http::Request request{.method = http::Method::post, .url = remote.url + "/objects/batch"};
    request.headers = {{"Accept", kMediaType}, {"Content-Type", kMediaType}};
    request.authorization = remote.authorization;
    request.body = to_text(body);
    return request;
}

/// The answer for each object, in the order asked.
Result<std::vector<LfsObjectAnswer>>
in_order(const http::Request& request, LfsBatch batch, const std::vector<LfsObject>& objects) {
    const auto wrong = [&request](const std::string& what) {
        return support::fail(ErrorKind::network,
                             fmt::format("{}: {}", http::describe(request), what));
    };
    if (batch.transfer != "basic" && batch.transfer != "multipart")
        return wrong("the server wants a transfer that was not offered");
    std::map<std::string, LfsObjectAnswer> by_oid;
    for (auto& answer : batch.objects)
        by_oid[answer.oid] = std::move(answer);
    std::vector<LfsObjectAnswer> ordered;
    for (const auto& object : objects) {
        const auto found = by_oid.find(object.sha256);
        if (found == by_oid.end())
            return wrong(fmt::format("the server says nothing about object {}", object.sha256));
        if (found->second.error_code != 0)
            return wrong(fmt::format("object {} is refused: status {}: {}",
                                     object.sha256,
                                     found->second.error_code,
                                     found->second.error_message));
        if (found->second.size != object.size)
            return wrong(fmt::format("the size of object {} is another one", object.sha256));
        ordered.push_back(std::move(found->second));
    }
    return ordered;
}

Result<std::vector<LfsObjectAnswer>>
ask(const Connection& connection, const LfsRemote& remote, const std::vector<LfsObject>& objects) {
    const auto request = batch_request(remote, objects);
    KB_TRY_ASSIGN(response, send_ok(connection, request));
    KB_TRY_ASSIGN(batch, in_context(request, parse_lfs_batch(response.body)));
    return in_order(request, std::move(batch), objects);
}

/// Asks for some objects and sends those that are missing; returns which have to be asked for
/// again.
Result<std::vector<Unsent>> upload_some(const Connection& connection,
                                        const LfsRemote& remote,
                                        const std::vector<LfsObject>& objects,
                                        const LfsEvents& events,
                                        LfsSummary& summary) {
    KB_TRY_ASSIGN(answers, ask(connection, remote, objects));
    std::vector<Transfer> missing;
    for (std::size_t i = 0; i < objects.size(); ++i) {
        if (answers[i].upload) {
            missing.push_back({objects[i], std::move(answers[i])});
            continue;
        }
        ++summary.present;
        if (events.on_object)
            events.on_object(objects[i].sha256);
    }
    KB_TRY_ASSIGN(unsent, transfer(connection, remote, missing, events));
    for (const auto& sent : missing)
        summary.bytes += sent.object.size;
    for (const auto& again : unsent)
        summary.bytes -= again.object.size;
    summary.sent += missing.size() - unsent.size();
    return unsent;
}

} // namespace

LfsRemote lfs_remote(const Connection& connection, const Repository& repository, std::string ref) {
    LfsRemote remote{
        connection.endpoint + repository.page_path() + ".git/info/lfs", {}, std::move(ref)};
    if (!connection.token.empty())
        remote.authorization = http::bearer(connection.token);
    return remote;
}

Result<LfsSummary> upload_objects(const Connection& connection,
                                  const LfsRemote& remote,
                                  std::vector<LfsObject> objects,
                                  const LfsEvents& events) {
    LfsSummary summary;
    auto pending = distinct(std::move(objects));
    for (unsigned round = 1; !pending.empty(); ++round) {
        std::vector<LfsObject> again;
        for (std::size_t at = 0; at < pending.size(); at += kBatch) {
            const auto first = pending.begin() + static_cast<std::ptrdiff_t>(at);
            const auto count = std::min(kBatch, pending.size() - at);
            const std::vector<LfsObject> some(first, first + static_cast<std::ptrdiff_t>(count));
            KB_TRY_ASSIGN(unsent, upload_some(connection, remote, some, events, summary));
            if (!unsent.empty() && round == kRounds)
                return tl::unexpected(std::move(unsent.front().reason));
            for (auto& object : unsent)
                again.push_back(std::move(object.object));
        }
        pending = std::move(again);
    }
    return summary;
}

} // namespace kbuild::hub
