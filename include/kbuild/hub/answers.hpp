#pragma once

#include "kbuild/support/result.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the Hub and LFS servers answer, as values. Every parser takes any bytes and gives a value
/// or an Error of kind `network` that names the key at fault; nothing is trusted: sizes, ids and
/// header texts are checked against what they may be.
namespace kbuild::hub {

/// One member of `orgs` of whoami.
struct Membership {
    std::string name;
    std::string role; ///< `admin`, `write`, `contributor`, `read`; empty if not said
    bool operator==(const Membership&) const = default;
};

/// What a fine-grained token may do with one entity.
struct Scope {
    std::string entity_type; ///< `user`, `org`, `model`, `kernel`, …
    std::string entity_name;
    std::vector<std::string> permissions; ///< `repo.write`, …
    bool operator==(const Scope&) const = default;
};

/// `GET /api/whoami-v2`.
struct WhoAmI {
    std::string name;
    std::string type; ///< `user`, `org`, `app`
    std::vector<Membership> orgs;
    std::string token_role; ///< `read`, `write`, `fineGrained`; empty if not said
    std::string token_name; ///< how its owner called it
    std::vector<Scope> scopes;
};

/// `POST /api/repos/create`.
struct CreatedRepository {
    std::string url;
};

struct Ref {
    std::string name;   ///< `main`, `v1`, `refs/pr/3`
    std::string commit; ///< 40 hex digits
    bool operator==(const Ref&) const = default;
};

/// `GET /api/…/refs`.
struct Refs {
    std::vector<Ref> branches;
    std::vector<Ref> tags;
    std::vector<Ref> pull_requests;
    const Ref* branch(std::string_view name) const;
};

/// A file of `GET /api/…/tree/{rev}`; folders are left out.
struct TreeFile {
    std::string path;
    std::uint64_t size = 0;
    std::string blob_id;               ///< of the blob in git; for LFS files of the pointer
    std::optional<std::string> sha256; ///< of the content, for LFS files
    bool operator==(const TreeFile&) const = default;
};

/// `POST /api/…/preupload/{rev}`: how each file is to be sent.
struct PreuploadFile {
    std::string path;
    bool lfs = false;
    bool ignored = false; ///< by the repository's .gitignore
};

/// `POST /api/…/commit/{rev}`.
struct CommitAnswer {
    std::string commit;
    std::string pull_request_url; ///< empty without `create_pr`
};

/// One `upload`, `verify` or `download` of an LFS batch answer.
struct LfsAction {
    std::string href;
    std::map<std::string, std::string> headers; ///< without `chunk_size` and part numbers
    std::uint64_t chunk_size = 0;               ///< of a multipart upload; 0 for a plain one
    std::vector<std::string> parts;             ///< its URLs in order
};

struct LfsObjectAnswer {
    std::string oid;
    std::uint64_t size = 0;
    std::optional<LfsAction> upload; ///< absent: the server has the object
    std::optional<LfsAction> verify;
    std::optional<LfsAction> download;
    long error_code = 0; ///< of this object, 0 for none
    std::string error_message;
};

/// `POST …/info/lfs/objects/batch`.
struct LfsBatch {
    std::string transfer; ///< `basic` if the server does not say
    std::vector<LfsObjectAnswer> objects;
};

support::Result<WhoAmI> parse_whoami(std::string_view json);
support::Result<CreatedRepository> parse_created(std::string_view json);
support::Result<Refs> parse_refs(std::string_view json);
support::Result<std::vector<TreeFile>> parse_tree(std::string_view json);
support::Result<std::vector<PreuploadFile>> parse_preupload(std::string_view json);
support::Result<CommitAnswer> parse_commit(std::string_view json);
support::Result<LfsBatch> parse_lfs_batch(std::string_view json);

/// The text that a refusal carries in its JSON (`error`, `message`, `Message`); empty if it has
/// none. Control characters are dropped and the length is bounded: it goes to a terminal.
std::string error_text(std::string_view body);

/// The number at the end of `…/discussions/3`.
std::optional<std::uint64_t> pull_request_number(std::string_view url);

bool is_commit_id(std::string_view text); ///< 40 lower-case hex digits
bool is_sha256(std::string_view text);    ///< 64 of them

/// Whether a path of a tree may be created below a folder: relative, no `..`, no backslash, no
/// control characters, no empty part.
bool is_safe_path(std::string_view path);

} // namespace kbuild::hub
