#include "json_view.hpp"

#include "kbuild/layout/metadata.hpp"
#include "kbuild/model/git_url.hpp"
#include "kbuild/model/kernel_name.hpp"
#include "kbuild/model/version.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::layout {
namespace {

using support::Result;

Result<std::string> read_name(const JsonView& root) {
    KB_TRY_ASSIGN(view, root.at("name"));
    KB_TRY_ASSIGN(name, view.text());
    if (!model::KernelName::parse(name))
        return view.wrong(
            fmt::format("is `{}`, which is no kernel name: lower-case letters, digits and dashes, "
                        "a letter first, no dash last, two characters at least",
                        name));
    return name;
}

Result<std::optional<std::string>> read_url(const JsonView& root, std::string_view key) {
    if (!root.has(key))
        return std::nullopt;
    KB_TRY_ASSIGN(view, root.at(key));
    KB_TRY_ASSIGN(url, view.text());
    if (!model::is_git_url(url))
        return view.wrong(fmt::format("is `{}`, which is no git URL", url));
    return url;
}

Result<std::optional<std::string>> read_minver(const JsonView& root) {
    if (!root.has("kernels-minver"))
        return std::nullopt;
    KB_TRY_ASSIGN(view, root.at("kernels-minver"));
    KB_TRY_ASSIGN(text, view.text());
    if (support::split(text, '.').size() != 3 || !model::Version::parse(text))
        return view.wrong(fmt::format("is `{}`, not a version of three numbers", text));
    return text;
}

Result<KernelDependencyEntry> read_dependency(const JsonView& view) {
    KB_TRY(view.object());
    for (const auto& item : view.json().items())
        if (item.key() != "repo-id" && item.key() != "version" && item.key() != "revision")
            return view.wrong(fmt::format("has the unknown key `{}`", item.key()));
    if (view.has("version") == view.has("revision"))
        return view.wrong("needs either `version` or `revision`");
    KernelDependencyEntry entry;
    KB_TRY_ASSIGN(repo, view.at("repo-id"));
    KB_TRY_ASSIGN(repo_id, repo.text());
    entry.repo_id = repo_id;
    if (view.has("version")) {
        KB_TRY_ASSIGN(version, view.at("version"));
        KB_TRY_ASSIGN(number, version.number());
        entry.version = number;
        return entry;
    }
    KB_TRY_ASSIGN(revision, view.at("revision"));
    KB_TRY_ASSIGN(text, revision.text());
    entry.revision = text;
    return entry;
}

Result<std::vector<KernelDependencyEntry>> read_dependencies(const JsonView& root) {
    std::vector<KernelDependencyEntry> entries;
    if (!root.contains("kernel-depends"))
        return entries;
    KB_TRY_ASSIGN(list, root.at("kernel-depends"));
    KB_TRY_ASSIGN(views, list.items());
    for (const auto& view : views) {
        KB_TRY_ASSIGN(entry, read_dependency(view));
        entries.push_back(std::move(entry));
    }
    return entries;
}

Result<void> read_archs(const JsonView& view, Metadata& metadata) {
    KB_TRY_ASSIGN(names, view.texts());
    if (metadata.backend != model::Backend::rocm) {
        metadata.other_archs = std::move(names);
        return {};
    }
    metadata.archs.emplace();
    for (const auto& name : names) {
        const auto arch = model::GfxArch::parse(name);
        if (!arch)
            return view.wrong(fmt::format("holds `{}`, which is no AMD GPU architecture", name));
        metadata.archs->push_back(*arch);
    }
    return {};
}

Result<void> read_backend(const JsonView& root, Metadata& metadata) {
    KB_TRY_ASSIGN(view, root.at("backend"));
    KB_TRY_ASSIGN(type, view.at("type"));
    KB_TRY_ASSIGN(name, type.text());
    const auto backend = model::parse_backend(name);
    if (!backend)
        return type.wrong(fmt::format("is `{}`, which is no backend", name));
    metadata.backend = *backend;
    if (!view.has("archs"))
        return {};
    KB_TRY_ASSIGN(archs, view.at("archs"));
    return read_archs(archs, metadata);
}

Result<void> read_digest(const JsonView& root, Metadata& metadata) {
    if (!root.has("digest"))
        return {};
    KB_TRY_ASSIGN(view, root.at("digest"));
    KB_TRY_ASSIGN(algorithm, view.at("algorithm"));
    KB_TRY_ASSIGN(name, algorithm.text());
    if (name != "sha256" && name != "sha512")
        return algorithm.wrong(fmt::format("is `{}`, neither `sha256` nor `sha512`", name));
    metadata.digest_algorithm = name;
    KB_TRY_ASSIGN(files, view.at("files"));
    KB_TRY(files.object());
    metadata.digest.emplace();
    for (const auto& item : files.json().items()) { // sorted by key
        KB_TRY_ASSIGN(file, files.at(item.key()));
        KB_TRY_ASSIGN(base64, file.text());
        metadata.digest->push_back({item.key(), std::move(base64)});
    }
    return {};
}

Result<std::string> read_commit_id(const JsonView& view) {
    const bool old_key = view.contains("sha");
    if (old_key && view.contains("commit"))
        return view.wrong("has both `commit` and its old name `sha`");
    KB_TRY_ASSIGN(commit, view.at(old_key ? "sha" : "commit"));
    KB_TRY_ASSIGN(text, commit.text());
    const auto lower = support::to_lower(text);
    const bool hex = lower.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (!hex || (lower.size() != 40 && lower.size() != 64))
        return commit.wrong(
            fmt::format("is `{}`, not a git object id of 40 or 64 hexadecimal digits", text));
    return lower;
}

Result<CommitState> read_commit(const JsonView& view) {
    KB_TRY_ASSIGN(commit, read_commit_id(view));
    KB_TRY_ASSIGN(flag, view.at("dirty"));
    KB_TRY_ASSIGN(dirty, flag.flag());
    return CommitState{commit, dirty};
}

Result<void> read_builder(const JsonView& view, Provenance& provenance) {
    KB_TRY_ASSIGN(version, view.at("version"));
    KB_TRY_ASSIGN(text, version.text());
    provenance.builder_version = text;
    const bool has_commit = view.contains("commit") || view.contains("sha");
    if (has_commit != view.contains("dirty"))
        return view.wrong("has only one of `commit` and `dirty`");
    if (!has_commit)
        return {};
    KB_TRY_ASSIGN(commit, read_commit(view));
    provenance.builder_commit = commit;
    return {};
}

/// What kbuild itself added; another writer's key of the same name is ignored, as unknown keys are.
void read_sdks(const JsonView& view, Provenance& provenance) {
    const auto text_of = [&view](std::string_view key) -> std::optional<std::string> {
        if (!view.has(key) || !view.json()[std::string(key)].is_string())
            return std::nullopt;
        return view.json()[std::string(key)].get<std::string>();
    };
    provenance.torch_sdk = text_of("torch");
    provenance.rocm_sdk = text_of("rocm");
}

Result<std::optional<Provenance>> read_provenance(const JsonView& root) {
    if (!root.has("provenance"))
        return std::nullopt;
    KB_TRY_ASSIGN(view, root.at("provenance"));
    Provenance provenance;
    KB_TRY_ASSIGN(builder, view.at("kernel-builder"));
    KB_TRY(read_builder(builder, provenance));
    if (view.has("kernel")) {
        KB_TRY_ASSIGN(kernel, view.at("kernel"));
        KB_TRY_ASSIGN(commit, read_commit(kernel));
        provenance.kernel = commit;
    }
    if (view.has("kbuild")) {
        KB_TRY_ASSIGN(sdks, view.at("kbuild"));
        read_sdks(sdks, provenance);
    }
    return provenance;
}

Result<std::string> text_at(const JsonView& root, std::string_view key) {
    KB_TRY_ASSIGN(view, root.at(key));
    return view.text();
}

Result<Metadata> read_document(const JsonView& root) {
    Metadata metadata;
    KB_TRY_ASSIGN(name, read_name(root));
    KB_TRY_ASSIGN(id, text_at(root, "id"));
    KB_TRY_ASSIGN(version, root.at("version"));
    KB_TRY_ASSIGN(number, version.number());
    KB_TRY_ASSIGN(minver, read_minver(root));
    KB_TRY_ASSIGN(license, text_at(root, "license"));
    KB_TRY_ASSIGN(upstream, read_url(root, "upstream"));
    KB_TRY_ASSIGN(source, read_url(root, "source"));
    KB_TRY_ASSIGN(python, root.at("python-depends"));
    KB_TRY_ASSIGN(python_depends, python.texts());
    KB_TRY_ASSIGN(kernel_depends, read_dependencies(root));
    KB_TRY(read_backend(root, metadata));
    KB_TRY(read_digest(root, metadata));
    KB_TRY_ASSIGN(provenance, read_provenance(root));
    metadata.name = std::move(name);
    metadata.id = std::move(id);
    metadata.version = number;
    metadata.kernels_minver = std::move(minver);
    metadata.license = std::move(license);
    metadata.upstream = std::move(upstream);
    metadata.source = std::move(source);
    metadata.python_depends = std::move(python_depends);
    metadata.kernel_depends = std::move(kernel_depends);
    metadata.provenance = std::move(provenance);
    return metadata;
}

} // namespace

Result<Metadata> read_metadata(std::string_view json) {
    KB_TRY_ASSIGN(document, parse_json(json));
    return read_document(JsonView(document, ""));
}

} // namespace kbuild::layout
