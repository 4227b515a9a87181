#include "lfs_transfer.hpp"

#include "request.hpp"

#include "kbuild/http/url.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <thread>

namespace kbuild::hub {
namespace {

using nlohmann::ordered_json;
using support::ErrorKind;
using support::Result;

/// What is known of one object while its parts are under way.
struct Progress {
    std::vector<std::string> etags;
    std::size_t open = 0;                  ///< parts that have not ended
    std::optional<support::Error> problem; ///< the first one that new addresses may mend
};

struct Job {
    std::size_t transfer = 0;
    std::size_t part = 0;
};

std::size_t part_count(const Transfer& transfer) {
    return std::max<std::size_t>(1, transfer.answer.upload->parts.size());
}

/// Headers that belong to the connection are not the server's to set.
bool is_ours(const std::string& name) {
    const auto lower = support::to_lower(name);
    return lower == "authorization" || lower == "content-length" || lower == "transfer-encoding" ||
           lower == "host";
}

/// A request as an action wants it: its own Authorization takes the place of the token.
http::Request action_request(http::Method method, const std::string& url, const LfsAction& action) {
    http::Request request{.method = method, .url = url};
    for (const auto& [name, value] : action.headers) {
        if (!is_ours(name))
            request.headers.push_back({name, value});
        if (support::to_lower(name) == "authorization")
            request.authorization = http::Secret(value);
    }
    return request;
}

/// The addresses are signed for a while, and only for what was asked for.
bool new_address_may_help(long status) {
    constexpr std::array kStatuses = {400L, 401L, 403L, 404L, 409L, 410L, 412L};
    return std::find(kStatuses.begin(), kStatuses.end(), status) != kStatuses.end();
}

/// How sending ended: well, with an Error, or with one that new addresses may mend.
struct Ending {
    std::optional<support::Error> problem;
    bool mendable = false;
};

Ending ending_of(const http::Request& request, const Result<http::Response>& response) {
    if (!response)
        return {response.error(), false};
    if (response->ok())
        return {};
    return {refusal(request, *response), new_address_may_help(response->status)};
}

http::Request part_request(const Transfer& transfer, std::size_t part) {
    const auto& upload = *transfer.answer.upload;
    if (upload.parts.empty()) {
        auto request = action_request(http::Method::put, upload.href, upload);
        request.body = http::FileRange{transfer.object.file, 0, transfer.object.size};
        return request;
    }
    http::Request request{.method = http::Method::put, .url = upload.parts[part]};
    const auto offset = upload.chunk_size * part;
    request.body = http::FileRange{
        transfer.object.file, offset, std::min(upload.chunk_size, transfer.object.size - offset)};
    return request;
}

/// All transfers of one batch; the threads share it.
class Pool {
  public:
    Pool(const Connection& connection,
         const LfsRemote& remote,
         const std::vector<Transfer>& transfers,
         const LfsEvents& events)
        : connection_(connection), remote_(remote), transfers_(transfers), events_(events),
          progress_(transfers.size()) {
        for (std::size_t i = 0; i < transfers.size(); ++i) {
            progress_[i].open = part_count(transfers[i]);
            progress_[i].etags.resize(part_count(transfers[i]));
            for (std::size_t part = 0; part < part_count(transfers[i]); ++part)
                jobs_.push_back({i, part});
        }
    }

    Result<std::vector<Unsent>> run() {
        std::vector<std::jthread> threads;
        const auto count = std::min<std::size_t>(kTransfers, jobs_.size());
        for (std::size_t i = 1; i < count; ++i)
            threads.emplace_back([this] { work(); });
        work();
        threads.clear();
        if (failed_)
            return tl::unexpected(std::move(*failure_));
        std::vector<Unsent> unsent;
        for (std::size_t i = 0; i < transfers_.size(); ++i)
            if (progress_[i].problem)
                unsent.push_back({transfers_[i].object, std::move(*progress_[i].problem)});
        return unsent;
    }

  private:
    void work() {
        for (auto at = next_++; at < jobs_.size() && !failed_; at = next_++) {
            const auto job = jobs_[at];
            auto ending = send_part(job);
            const bool last = note(job, ending);
            if (last && !failed_)
                note_object(job.transfer, finish(job.transfer));
        }
    }

    Ending send_part(const Job& job) {
        auto request = part_request(transfers_[job.transfer], job.part);
        request.on_bytes = events_.on_bytes;
        const auto response = send(connection_, request);
        auto ending = ending_of(request, response);
        if (ending.problem || transfers_[job.transfer].answer.upload->parts.empty())
            return ending;
        const auto etag = response->header("etag").value_or("");
        if (etag.empty())
            return {support::Error(ErrorKind::network,
                                   fmt::format("{}: the answer for a part has no ETag",
                                               http::describe(request))),
                    true};
        progress_[job.transfer].etags[job.part] = etag; // each thread its own element
        return {};
    }

    /// Whether this was the last part and all arrived.
    bool note(const Job& job, Ending& ending) {
        const std::lock_guard lock(mutex_);
        auto& progress = progress_[job.transfer];
        --progress.open;
        keep(progress, ending);
        return progress.open == 0 && !progress.problem;
    }

    void note_object(std::size_t index, const Ending& ending) {
        const std::lock_guard lock(mutex_);
        keep(progress_[index], ending);
        if (!ending.problem && events_.on_object)
            events_.on_object(transfers_[index].object.sha256);
    }

    void keep(Progress& progress, const Ending& ending) {
        if (!ending.problem)
            return;
        if (ending.mendable) {
            if (!progress.problem)
                progress.problem = ending.problem;
            return;
        }
        if (!failed_)
            failure_ = ending.problem;
        failed_ = true;
    }

    Ending finish(std::size_t index) {
        const auto& transfer = transfers_[index];
        if (!transfer.answer.upload->parts.empty()) {
            const auto request = completion(transfer, progress_[index].etags);
            if (auto ending = ending_of(request, send(connection_, request)); ending.problem)
                return ending;
        }
        if (!transfer.answer.verify)
            return {};
        const auto request = verification(transfer);
        auto ending = ending_of(request, send(connection_, request));
        ending.mendable = true; // the server says what it has: it may be sent again
        return ending;
    }

    static http::Request completion(const Transfer& transfer,
                                    const std::vector<std::string>& etags) {
        auto parts = ordered_json::array();
        for (std::size_t i = 0; i < etags.size(); ++i)
            parts.push_back({{"partNumber", i + 1}, {"etag", etags[i]}});
        auto request = action_request(
            http::Method::post, transfer.answer.upload->href, *transfer.answer.upload);
        request.headers.push_back({"Accept", "application/vnd.git-lfs+json"});
        request.headers.push_back({"Content-Type", "application/vnd.git-lfs+json"});
        request.body = to_text({{"oid", transfer.object.sha256}, {"parts", std::move(parts)}});
        return request;
    }

    http::Request verification(const Transfer& transfer) const {
        const auto& action = *transfer.answer.verify;
        auto request = action_request(http::Method::post, action.href, action);
        const bool ours = http::origin_of(action.href) == http::origin_of(remote_.url);
        if (request.authorization.empty() && ours)
            request.authorization = remote_.authorization;
        request.headers.push_back({"Accept", "application/vnd.git-lfs+json"});
        request.headers.push_back({"Content-Type", "application/vnd.git-lfs+json"});
        request.body = to_text({{"oid", transfer.object.sha256}, {"size", transfer.object.size}});
        return request;
    }

    const Connection& connection_;
    const LfsRemote& remote_;
    const std::vector<Transfer>& transfers_;
    const LfsEvents& events_;
    std::vector<Job> jobs_;
    std::atomic<std::size_t> next_ = 0;
    std::atomic<bool> failed_ = false;
    std::mutex mutex_; ///< of what follows
    std::vector<Progress> progress_;
    std::optional<support::Error> failure_;
};

/// Whether the parts cover the file.
bool is_consistent(const Transfer& transfer) {
    const auto& upload = *transfer.answer.upload;
    if (upload.parts.empty())
        return true;
    const auto wanted = (transfer.object.size + upload.chunk_size - 1) / upload.chunk_size;
    return wanted == upload.parts.size();
}

} // namespace

Result<std::vector<Unsent>> transfer(const Connection& connection,
                                     const LfsRemote& remote,
                                     const std::vector<Transfer>& transfers,
                                     const LfsEvents& events) {
    for (const auto& transfer : transfers)
        if (!is_consistent(transfer))
            return support::fail(
                ErrorKind::network,
                fmt::format("the parts that the server wants of object {} do not fit its size",
                            transfer.object.sha256));
    return Pool(connection, remote, transfers, events).run();
}

} // namespace kbuild::hub
