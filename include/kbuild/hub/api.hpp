#pragma once

#include "kbuild/http/send.hpp"
#include "kbuild/hub/answers.hpp"
#include "kbuild/hub/repository.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kbuild::hub {

/// How the Hub is reached: values that every call takes, nothing else is shared.
struct Connection {
    http::Transport& transport;
    http::Pause& pause;
    http::RetryPolicy retry;
    std::string endpoint; ///< `https://huggingface.co`
    http::Secret token;   ///< may be empty
};

/// An Error for an answer that is a refusal: method, address without its query, status, the
/// server's own words and its request id; the hint says what to do. Kind `network`.
support::Error refusal(const http::Request& request, const http::Response& response);

support::Result<WhoAmI> whoami(const Connection& connection);

/// None if there is no such repository (or it is hidden from this token).
support::Result<std::optional<Refs>>
refs(const Connection& connection, const Repository& repository, bool pull_requests = false);

/// Creates it; that it is there already is fine. Returns the repository that its URL names: the
/// server may have moved it.
support::Result<Repository>
create_repository(const Connection& connection, const Repository& repository, bool is_private);

/// Creates a branch at `start` (a branch or commit); that it is there already is fine.
support::Result<void> create_branch(const Connection& connection,
                                    const Repository& repository,
                                    const std::string& branch,
                                    const std::string& start);

/// All files of a revision, sorted by path; follows the pages of the answer.
support::Result<std::vector<TreeFile>>
tree(const Connection& connection, const Repository& repository, const std::string& revision);

/// A file that is to be sent, with its first 512 bytes.
struct Candidate {
    std::string path;
    std::uint64_t size = 0;
    std::string sample;
};

/// How each file is to be sent, in the order asked; empty files are never LFS.
support::Result<std::vector<PreuploadFile>> preupload(const Connection& connection,
                                                      const Repository& repository,
                                                      const std::string& revision,
                                                      const std::vector<Candidate>& files,
                                                      bool create_pull_request);

/// One commit: its files are in the body or were uploaded before.
struct Commit {
    struct File {
        std::string path;
        std::string content;
    };
    struct LfsFile {
        std::string path;
        std::string sha256;
        std::uint64_t size = 0;
    };
    std::string summary;
    std::string description;
    std::string parent; ///< the head that the commit must follow
    std::vector<File> files;
    std::vector<LfsFile> lfs_files;
    std::vector<std::string> deleted;
    bool create_pull_request = false;
};

/// The commit as the lines that are sent.
std::string to_ndjson(const Commit& commit);

/// What became of a commit request.
struct CommitOutcome {
    enum class Kind {
        done,
        moved,  ///< 409 or 412: the branch is not at `parent` any more
        unknown ///< no answer, or an error of the server: the head must be looked at
    };
    Kind kind = Kind::done;
    CommitAnswer answer;
    std::string reason; ///< unless done
};

/// Sends the commit once. A refusal that is certain is an Error.
support::Result<CommitOutcome> commit(const Connection& connection,
                                      const Repository& repository,
                                      const std::string& revision,
                                      const Commit& commit);

/// Downloads a file of a revision into `target`, going on from what is there.
support::Result<void> download(const Connection& connection,
                               const Repository& repository,
                               const std::string& revision,
                               const std::string& path,
                               const http::FileTarget& target,
                               const std::function<void(std::int64_t)>& on_bytes);

/// Downloads a small file into memory; none if it is not there.
support::Result<std::optional<std::string>> read_text(const Connection& connection,
                                                      const Repository& repository,
                                                      const std::string& revision,
                                                      const std::string& path);

/// A page for people: `<endpoint>/kernels/owner/name/tree/v1`.
std::string
tree_url(const Connection& connection, const Repository& repository, const std::string& revision);

} // namespace kbuild::hub
