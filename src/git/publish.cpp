#include "kbuild/git/publish.hpp"

#include "session.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace kbuild::git {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

constexpr std::size_t kLargestPointer = 1024; ///< git-lfs's own limit
constexpr const char* kName = "kbuild";
constexpr const char* kEmail = "kbuild@localhost";

tl::unexpected<support::Error> local_error(std::string_view what) {
    const auto* const error = git_error_last();
    return support::fail(
        ErrorKind::failed,
        fmt::format("cannot {}: {}", what, error != nullptr ? error->message : "no reason given"));
}

/// What libgit2 asks while it talks to a server.
struct Talk {
    const Remote& remote;
    int asked = 0;
    bool refused = false;    ///< credentials
    std::string push_status; ///< why the server did not take the branch
};

/// It asks again after a refusal: then there is nothing more to give.
int on_credentials(
    git_credential** out, const char* /*url*/, const char* /*user*/, unsigned types, void* data) {
    auto& talk = *static_cast<Talk*>(data);
    if (talk.asked++ > 0 || talk.remote.password.empty() ||
        (types & GIT_CREDENTIAL_USERPASS_PLAINTEXT) == 0) {
        talk.refused = true;
        return GIT_EAUTH;
    }
    return git_credential_userpass_plaintext_new(
        out, talk.remote.user.c_str(), talk.remote.password.c_str());
}

int on_push_status(const char* /*ref*/, const char* status, void* data) {
    if (status != nullptr)
        static_cast<Talk*>(data)->push_status = status;
    return 0;
}

tl::unexpected<support::Error> network_error(const char* what, const Talk& talk, int code) {
    const auto* const error = git_error_last();
    // After a refusal libgit2's text can be that of an earlier failure.
    const std::string reason = talk.refused ? "the server does not accept the user and token"
                               : code == GIT_ENONFASTFORWARD ? "the branch has moved meanwhile"
                               : !talk.push_status.empty()   ? talk.push_status
                               : error != nullptr            ? std::string(error->message)
                                                             : "no reason given";
    const bool moved = code == GIT_ENONFASTFORWARD || !talk.push_status.empty();
    return support::fail(ErrorKind::network,
                         fmt::format("cannot {} `{}`: {}", what, talk.remote.url, reason),
                         moved ? "run the same command again: it plans over what is there now"
                         : talk.refused ? "put a token that may write into `KBUILD_GIT_TOKEN`"
                                        : "");
}

void trust(const Remote& remote) {
    if (!remote.ca_file.empty())
        git_libgit2_opts(GIT_OPT_SET_SSL_CERT_LOCATIONS, remote.ca_file.c_str(), nullptr);
}

Result<Owned<git_repository>> open(const fs::path& folder) {
    git_repository* raw = nullptr;
    if (git_repository_open_bare(&raw, folder.c_str()) < 0 &&
        git_repository_init(&raw, folder.c_str(), 1) < 0)
        return local_error("make a repository for publishing");
    return Owned<git_repository>(raw);
}

Result<Owned<git_remote>> anonymous_remote(git_repository* repository, const Remote& remote) {
    git_remote* raw = nullptr;
    if (git_remote_create_anonymous(&raw, repository, remote.url.c_str()) < 0)
        return local_error("understand the address of the remote");
    return Owned<git_remote>(raw);
}

Result<Owned<git_commit>> lookup(git_repository* repository, const std::string& id) {
    git_oid oid{};
    git_commit* raw = nullptr;
    if (git_oid_fromstr(&oid, id.c_str()) < 0 || git_commit_lookup(&raw, repository, &oid) < 0)
        return local_error("read a commit");
    return Owned<git_commit>(raw);
}

/// Collects the files of a tree.
struct Walk {
    git_repository* repository;
    std::vector<BranchFile> files;
};

int on_entry(const char* root, const git_tree_entry* entry, void* data) {
    auto& walk = *static_cast<Walk*>(data);
    if (git_tree_entry_type(entry) != GIT_OBJECT_BLOB)
        return 0;
    git_blob* raw = nullptr;
    if (git_blob_lookup(&raw, walk.repository, git_tree_entry_id(entry)) < 0)
        return -1;
    const Owned<git_blob> blob(raw);
    BranchFile file{std::string(root) + git_tree_entry_name(entry),
                    to_hex(*git_tree_entry_id(entry)),
                    static_cast<std::uint64_t>(git_blob_rawsize(raw)),
                    {}};
    if (file.size <= kLargestPointer)
        if (const auto pointer =
                parse_pointer({static_cast<const char*>(git_blob_rawcontent(raw)), file.size}))
            std::tie(file.sha256, file.size) = *pointer;
    walk.files.push_back(std::move(file));
    return 0;
}

Result<git_oid> add_blob(git_repository* repository, const FileChange& change) {
    git_oid id{};
    const int code =
        change.source.empty()
            ? git_blob_create_from_buffer(&id, repository, change.text.data(), change.text.size())
            : git_blob_create_from_disk(&id, repository, change.source.c_str());
    if (code < 0)
        return local_error(fmt::format("add `{}`", change.path));
    return id;
}

/// The tree of `parent` with the changes.
Result<Owned<git_tree>> changed_tree(git_repository* repository,
                                     git_commit* parent,
                                     const std::vector<FileChange>& changes) {
    git_index* raw_index = nullptr;
    if (git_index_new(&raw_index) < 0)
        return local_error("make an index");
    const Owned<git_index> index(raw_index);
    if (parent != nullptr) {
        git_tree* raw = nullptr;
        const int code = git_commit_tree(&raw, parent);
        const Owned<git_tree> base(raw);
        if (code < 0 || git_index_read_tree(index.get(), base.get()) < 0)
            return local_error("read the branch");
    }
    for (const auto& change : changes) {
        if (change.remove) {
            git_index_remove(index.get(), change.path.c_str(), 0);
            continue;
        }
        KB_TRY_ASSIGN(id, add_blob(repository, change));
        git_index_entry entry{};
        entry.mode = GIT_FILEMODE_BLOB;
        entry.id = id;
        entry.path = change.path.c_str();
        if (git_index_add(index.get(), &entry) < 0)
            return local_error(fmt::format("add `{}`", change.path));
    }
    git_oid id{};
    git_tree* tree = nullptr;
    if (git_index_write_tree_to(&id, index.get(), repository) < 0 ||
        git_tree_lookup(&tree, repository, &id) < 0)
        return local_error("write the files of the commit");
    return Owned<git_tree>(tree);
}

} // namespace

std::optional<std::pair<std::string, std::uint64_t>> parse_pointer(std::string_view text) {
    constexpr std::string_view kVersion = "version https://git-lfs.github.com/spec/v1\n";
    constexpr std::string_view kOid = "oid sha256:";
    constexpr std::string_view kSize = "size ";
    if (!text.starts_with(kVersion))
        return std::nullopt;
    std::string oid;
    std::optional<std::uint64_t> size;
    for (const auto& line : support::split(text.substr(kVersion.size()), '\n')) {
        if (line.starts_with(kOid))
            oid = line.substr(kOid.size());
        if (line.starts_with(kSize)) {
            std::uint64_t value = 0;
            const auto [end, code] =
                std::from_chars(line.data() + kSize.size(), line.data() + line.size(), value);
            if (code == std::errc() && end == line.data() + line.size())
                size = value;
        }
    }
    if (oid.size() != 64 || !size)
        return std::nullopt;
    return std::pair(oid, *size);
}

Result<void> fetch(const fs::path& folder, const Remote& remote) {
    const Session session;
    trust(remote);
    KB_TRY_ASSIGN(repository, open(folder));
    KB_TRY_ASSIGN(server, anonymous_remote(repository.get(), remote));
    Talk talk{remote};
    git_fetch_options options;
    git_fetch_options_init(&options, GIT_FETCH_OPTIONS_VERSION);
    options.callbacks.credentials = on_credentials;
    options.callbacks.payload = &talk;
    options.prune = GIT_FETCH_PRUNE;
    std::string spec = "+refs/heads/*:refs/remotes/origin/*";
    std::array<char*, 1> specs = {spec.data()};
    const git_strarray list{specs.data(), specs.size()};
    const int code = git_remote_fetch(server.get(), &list, &options, nullptr);
    if (code < 0)
        return network_error("read from", talk, code);
    return {};
}

Result<std::optional<Branch>> read_branch(const fs::path& folder, const std::string& name) {
    const Session session;
    KB_TRY_ASSIGN(repository, open(folder));
    git_oid id{};
    const auto ref = "refs/remotes/origin/" + name;
    const int found = git_reference_name_to_id(&id, repository.get(), ref.c_str());
    if (found == GIT_ENOTFOUND)
        return std::nullopt;
    if (found < 0)
        return local_error("read a branch");
    KB_TRY_ASSIGN(commit, lookup(repository.get(), to_hex(id)));
    git_tree* raw = nullptr;
    if (git_commit_tree(&raw, commit.get()) < 0)
        return local_error("read a branch");
    const Owned<git_tree> tree(raw);
    Walk walk{repository.get(), {}};
    if (git_tree_walk(tree.get(), GIT_TREEWALK_PRE, on_entry, &walk) < 0)
        return local_error("read the files of a branch");
    std::sort(walk.files.begin(), walk.files.end(), [](const BranchFile& a, const BranchFile& b) {
        return a.path < b.path;
    });
    return Branch{to_hex(id), std::move(walk.files)};
}

Result<std::vector<bool>> under_lfs(const fs::path& folder,
                                    const std::string& commit,
                                    const std::vector<std::string>& paths) {
    const Session session;
    KB_TRY_ASSIGN(repository, open(folder));
    git_attr_options options = GIT_ATTR_OPTIONS_INIT;
    options.flags =
        GIT_ATTR_CHECK_INDEX_ONLY | GIT_ATTR_CHECK_NO_SYSTEM | GIT_ATTR_CHECK_INCLUDE_COMMIT;
    if (git_oid_fromstr(&options.attr_commit_id, commit.c_str()) < 0)
        return local_error("read .gitattributes");
    std::vector<bool> answers;
    for (const auto& path : paths) {
        const char* value = nullptr;
        if (git_attr_get_ext(&value, repository.get(), &options, path.c_str(), "filter") < 0)
            return local_error("read .gitattributes");
        answers.push_back(git_attr_value(value) == GIT_ATTR_VALUE_STRING &&
                          std::string_view(value) == "lfs");
    }
    return answers;
}

Result<std::string> commit(const fs::path& folder,
                           const std::string& branch,
                           const std::string& parent,
                           const std::vector<FileChange>& changes,
                           const std::string& message) {
    const Session session;
    KB_TRY_ASSIGN(repository, open(folder));
    Owned<git_commit> base;
    if (!parent.empty()) {
        KB_TRY_ASSIGN(found, lookup(repository.get(), parent));
        base = std::move(found);
    }
    KB_TRY_ASSIGN(tree, changed_tree(repository.get(), base.get(), changes));
    git_signature* raw = nullptr;
    if (git_signature_now(&raw, kName, kEmail) < 0)
        return local_error("sign the commit");
    const Owned<git_signature> author(raw);
    std::array<const git_commit*, 1> parents = {base.get()};
    git_oid id{};
    if (git_commit_create(&id,
                          repository.get(),
                          nullptr,
                          author.get(),
                          author.get(),
                          nullptr,
                          message.c_str(),
                          tree.get(),
                          base ? 1 : 0,
                          parents.data()) < 0)
        return local_error("make the commit");
    git_reference* reference = nullptr;
    const auto name = "refs/heads/" + branch;
    if (git_reference_create(&reference, repository.get(), name.c_str(), &id, 1, nullptr) < 0)
        return local_error("make the branch");
    git_reference_free(reference);
    return to_hex(id);
}

Result<void> push(const fs::path& folder, const Remote& remote, const std::string& branch) {
    const Session session;
    trust(remote);
    KB_TRY_ASSIGN(repository, open(folder));
    KB_TRY_ASSIGN(server, anonymous_remote(repository.get(), remote));
    Talk talk{remote};
    git_push_options options;
    git_push_options_init(&options, GIT_PUSH_OPTIONS_VERSION);
    options.callbacks.credentials = on_credentials;
    options.callbacks.push_update_reference = on_push_status;
    options.callbacks.payload = &talk;
    std::string spec = fmt::format("refs/heads/{0}:refs/heads/{0}", branch);
    std::array<char*, 1> specs = {spec.data()};
    const git_strarray list{specs.data(), specs.size()};
    const int code = git_remote_push(server.get(), &list, &options);
    if (code < 0 || !talk.push_status.empty())
        return network_error("write to", talk, code);
    return {};
}

} // namespace kbuild::git
