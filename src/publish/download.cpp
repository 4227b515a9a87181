#include "kbuild/publish/download.hpp"

#include "file_ids.hpp"

#include "kbuild/publish/content.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/support/tree_swap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <mutex>
#include <thread>

namespace kbuild::publish {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

constexpr std::size_t kThreads = 8;
constexpr std::string_view kBuild = "build/";

std::optional<std::uint64_t> to_number(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || code != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

bool has_content(const fs::path& path, const hub::TreeFile& wanted) {
    if (!support::is_file(path) || support::size_of_file(path) != wanted.size)
        return false;
    const auto ids = file_ids(path);
    if (!ids)
        return false;
    // Large files outside LFS have no git id here; their size has to do.
    return wanted.sha256 ? ids->sha256 == *wanted.sha256
                         : ids->blob_id.empty() || ids->blob_id == wanted.blob_id;
}

/// One file on its way: from the repository, through the stage, into its variant.
struct Fetch {
    const hub::TreeFile* file = nullptr;
    fs::path staged;
    fs::path old; ///< where it may be already
};

struct Source {
    const hub::Connection& connection;
    const hub::Repository& repository;
    const std::string& commit;
    const std::function<void(std::int64_t)>& on_bytes;
};

Result<void> fetch_once(const Source& source, const Fetch& fetch) {
    auto offset = support::is_file(fetch.staged) ? support::size_of_file(fetch.staged) : 0;
    if (offset >= fetch.file->size) {
        KB_TRY(support::remove_tree(fetch.staged));
        offset = 0;
    }
    if (fetch.file->size == 0)
        return support::write_file_atomically(fetch.staged, "");
    return hub::download(source.connection,
                         source.repository,
                         source.commit,
                         fetch.file->path,
                         {fetch.staged, offset},
                         source.on_bytes);
}

/// Fetches a file and checks it; what came wrong is fetched once more from the start.
Result<void> fetch_checked(const Source& source, const Fetch& fetch) {
    KB_TRY(support::make_folder(fetch.staged.parent_path()));
    for (int attempt = 0; attempt < 2; ++attempt) {
        KB_TRY(fetch_once(source, fetch));
        if (has_content(fetch.staged, *fetch.file))
            return {};
        KB_TRY(support::remove_tree(fetch.staged));
    }
    return support::fail(
        ErrorKind::network,
        fmt::format("`{}` does not have the content that the repository lists", fetch.file->path),
        "the server or something before it changes files: nothing was kept of it");
}

/// Fetches files, several at a time; the first Error ends it.
Result<void> fetch_all(const Source& source, const std::vector<Fetch>& fetches) {
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> failed = false;
    std::mutex mutex;
    Result<void> result;
    const auto work = [&] {
        for (auto at = next++; at < fetches.size() && !failed; at = next++) {
            auto fetched = fetch_checked(source, fetches[at]);
            if (fetched)
                continue;
            const std::lock_guard lock(mutex);
            if (!failed)
                result = std::move(fetched);
            failed = true;
        }
    };
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 1; i < std::min(kThreads, fetches.size()); ++i)
            threads.emplace_back(work);
        work();
    }
    return result;
}

bool is_whole(const std::vector<Fetch>& fetches, const fs::path& folder) {
    const auto found = support::list_files(folder);
    return found && found->size() == fetches.size() &&
           std::all_of(fetches.begin(), fetches.end(), [](const Fetch& fetch) {
               return has_content(fetch.old, *fetch.file);
           });
}

/// One variant: complete in the stage, then in its place.
Result<void> download_variant(const Source& source,
                              const std::string& name,
                              const std::vector<hub::TreeFile>& files,
                              const fs::path& target,
                              DownloadSummary& summary) {
    const auto stage = target / ".kbuild-download" / source.commit / name;
    const auto place = target / "build" / name;
    std::vector<Fetch> fetches;
    for (const auto& file : files) {
        const auto relative = file.path.substr(kBuild.size() + name.size() + 1);
        fetches.push_back({&file, stage / relative, place / relative});
    }
    if (is_whole(fetches, place)) {
        summary.present += fetches.size();
        return {};
    }
    std::vector<Fetch> missing;
    for (const auto& fetch : fetches) {
        if (has_content(fetch.staged, *fetch.file)) {
            ++summary.present;
        } else if (has_content(fetch.old, *fetch.file)) {
            KB_TRY(support::make_folder(fetch.staged.parent_path()));
            KB_TRY(support::copy_to(fetch.old, fetch.staged));
            ++summary.present;
        } else {
            missing.push_back(fetch);
            summary.bytes += fetch.file->size;
        }
    }
    KB_TRY(fetch_all(source, missing));
    summary.files += missing.size();
    KB_TRY(support::make_folder(place.parent_path()));
    return support::publish_folder(stage, place);
}

std::string version_list(const std::vector<PublishedVersion>& versions) {
    std::vector<std::string> names;
    for (const auto& version : versions)
        names.push_back(std::to_string(version.version));
    return names.empty() ? "no version is published"
                         : "published are " + support::join(names, ", ");
}

} // namespace

Result<KernelSpec> KernelSpec::parse(hub::RepositoryType type, std::string_view text) {
    const auto at = text.find('@');
    KB_TRY_ASSIGN(repository, hub::Repository::parse(type, text.substr(0, at)));
    KernelSpec spec{std::move(repository), std::nullopt, {}};
    if (at == std::string_view::npos)
        return spec;
    const auto revision = text.substr(at + 1);
    spec.version = to_number(revision);
    if (!spec.version)
        spec.revision = std::string(revision);
    if (revision.empty())
        return support::fail(ErrorKind::usage,
                             fmt::format("`{}` names no version", text),
                             "write `owner/name@1`, or a branch, tag or commit in place of the 1");
    return spec;
}

std::vector<PublishedVersion> published_versions(const hub::Refs& refs) {
    std::vector<PublishedVersion> versions;
    for (const auto& branch : refs.branches)
        if (branch.name.starts_with('v'))
            if (const auto number = to_number(std::string_view(branch.name).substr(1)))
                versions.push_back({*number, branch.commit});
    std::sort(versions.begin(), versions.end(), [](const auto& a, const auto& b) {
        return a.version < b.version;
    });
    return versions;
}

Result<std::string> resolve_commit(const hub::Connection& connection, const KernelSpec& spec) {
    KB_TRY_ASSIGN(refs, hub::refs(connection, spec.repository));
    if (!refs)
        return support::fail(ErrorKind::network,
                             fmt::format("there is no {} `{}` on {}",
                                         hub::to_string(spec.repository.type),
                                         spec.repository.id(),
                                         connection.endpoint),
                             "check the name; a private one needs a token in `HF_TOKEN`");
    const auto versions = published_versions(*refs);
    if (!spec.revision.empty()) {
        for (const auto* const list : {&refs->branches, &refs->tags})
            for (const auto& ref : *list)
                if (ref.name == spec.revision)
                    return ref.commit;
        if (hub::is_commit_id(spec.revision))
            return spec.revision;
        return support::fail(
            ErrorKind::network,
            fmt::format("`{}` has no branch or tag `{}`", spec.repository.id(), spec.revision),
            version_list(versions));
    }
    if (!spec.version && !versions.empty())
        return versions.back().commit;
    for (const auto& version : versions)
        if (version.version == spec.version)
            return version.commit;
    return support::fail(
        ErrorKind::network,
        spec.version ? fmt::format("`{}` has no version {}", spec.repository.id(), *spec.version)
                     : fmt::format("`{}` has no version", spec.repository.id()),
        version_list(versions));
}

std::map<std::string, std::vector<hub::TreeFile>>
variants_of(const std::vector<hub::TreeFile>& files) {
    std::map<std::string, std::vector<hub::TreeFile>> variants;
    for (const auto& file : files) {
        if (!file.path.starts_with(kBuild))
            continue;
        const auto slash = file.path.find('/', kBuild.size());
        if (slash == std::string::npos)
            continue;
        const auto name = file.path.substr(kBuild.size(), slash - kBuild.size());
        if (model::Variant::parse(name))
            variants[name].push_back(file);
    }
    return variants;
}

Result<DownloadSummary>
download_variants(const hub::Connection& connection,
                  const hub::Repository& repository,
                  const std::string& commit,
                  const std::map<std::string, std::vector<hub::TreeFile>>& variants,
                  const fs::path& target,
                  const std::function<void(std::int64_t)>& on_bytes) {
    const Source source{connection, repository, commit, on_bytes};
    DownloadSummary summary;
    for (const auto& [name, files] : variants) {
        KB_TRY(download_variant(source, name, files, target, summary));
        ++summary.variants;
    }
    KB_TRY(support::remove_tree(target / ".kbuild-download"));
    return summary;
}

} // namespace kbuild::publish
