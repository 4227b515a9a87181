#include "kbuild/publish/content.hpp"

#include "file_ids.hpp"

#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <system_error>
#include <thread>

namespace kbuild::publish {
namespace {

namespace fs = std::filesystem;
using support::Result;

constexpr std::uintmax_t kMaxMetadata = std::uintmax_t{16} << 20U;

bool is_licence(const std::string& name) {
    const auto lower = support::to_lower(name);
    return lower.starts_with("license") || lower.starts_with("licence") ||
           lower.starts_with("notice") || lower.starts_with("copying");
}

void report(diag::Sink& sink,
            const char* code,
            std::string message,
            std::vector<std::string> help) {
    diag::Diagnostic finding;
    finding.code = code;
    finding.message = std::move(message);
    finding.help = std::move(help);
    sink.report(std::move(finding));
}

/// What is at `path`, if it is nothing that can be published.
std::optional<std::string> what_is_wrong(const fs::directory_entry& entry) {
    if (entry.is_symlink())
        return "is a link";
    if (!entry.is_regular_file() && !entry.is_directory())
        return "is no regular file";
    return std::nullopt;
}

/// Relative paths of the files that belong into the variant, sorted; the others are reported.
Result<std::vector<fs::path>>
list_files(const fs::path& folder, const AllowList& allowed, diag::Sink& sink) {
    std::vector<fs::path> files;
    std::error_code code;
    fs::recursive_directory_iterator entries(folder, code);
    for (; !code && entries != fs::recursive_directory_iterator(); entries.increment(code)) {
        const auto shown = support::display_path(entries->path());
        const auto relative = entries->path().lexically_relative(folder);
        if (const auto wrong = what_is_wrong(*entries))
            report(sink,
                   "K1002",
                   fmt::format("`{}` {}", shown, *wrong),
                   {"a loader gets files only: replace it by what it stands for, or remove it"});
        else if (entries->is_regular_file() && belongs(allowed, relative))
            files.push_back(relative);
        else if (entries->is_regular_file())
            report(sink,
                   "K1001",
                   fmt::format("`{}` does not belong into a variant", shown),
                   {"remove it, or name its extension in `pyext` of build.toml if the kernel reads "
                    "it"});
    }
    if (code)
        return support::fail(
            support::ErrorKind::failed,
            fmt::format("cannot read `{}`: {}", support::display_path(folder), code.message()));
    std::sort(files.begin(), files.end());
    return files;
}

Result<LocalFile> local_file(const fs::path& source, std::string path) {
    KB_TRY_ASSIGN(ids, file_ids(source));
    return LocalFile{
        std::move(path), source, {}, ids.size, std::move(ids.sha256), std::move(ids.blob_id)};
}

/// Files of a variant with their hashes, which take the time of an upload that sends nothing: all
/// cores work on them.
Result<std::vector<LocalFile>>
hash_files(const fs::path& folder, const std::string& variant, const std::vector<fs::path>& files) {
    std::vector<LocalFile> hashed(files.size());
    std::vector<std::optional<support::Error>> errors(files.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (auto at = next++; at < files.size(); at = next++) {
            auto local =
                local_file(folder / files[at],
                           fmt::format("build/{}/{}", variant, files[at].generic_string()));
            if (local)
                hashed[at] = std::move(*local);
            else
                errors[at] = std::move(local.error());
        }
    };
    {
        std::vector<std::jthread> threads;
        const auto cores = std::max<std::size_t>(1, std::thread::hardware_concurrency());
        for (std::size_t i = 1; i < std::min(cores, files.size()); ++i)
            threads.emplace_back(work);
        work();
    }
    for (auto& error : errors)
        if (error)
            return tl::unexpected(std::move(*error));
    return hashed;
}

Result<LocalVariant>
collect_variant(const fs::path& folder, const AllowList& allowed, diag::Sink& sink) {
    LocalVariant variant;
    variant.name = layout::folder_name(folder);
    variant.folder = folder;
    KB_TRY_ASSIGN(text, support::read_file(folder / "metadata.json", kMaxMetadata));
    auto metadata = layout::read_metadata(text);
    if (!metadata)
        return support::pass_on(
            std::move(metadata),
            fmt::format("reading `{}`", support::display_path(folder / "metadata.json")));
    variant.metadata = std::move(*metadata);
    KB_TRY_ASSIGN(files, list_files(folder, allowed, sink));
    KB_TRY_ASSIGN(hashed, hash_files(folder, variant.name, files));
    variant.files = std::move(hashed);
    return variant;
}

} // namespace

bool belongs(const AllowList& allowed, const fs::path& path) {
    for (const auto& part : path)
        if (part.string().starts_with('.') || part == "__pycache__" || part == "CMakeFiles")
            return false;
    const auto name = path.filename().string();
    if (name == "metadata.json" || name == "metadata.json.sigstore" ||
        name == layout::kProvenanceName)
        return !path.has_parent_path();
    const auto extension = path.extension().string();
    if (extension == ".py" || extension == ".pyi" || extension == ".so" || is_licence(name))
        return true;
    return !extension.empty() && std::find(allowed.data_extensions.begin(),
                                           allowed.data_extensions.end(),
                                           extension.substr(1)) != allowed.data_extensions.end();
}

Result<std::vector<LocalVariant>>
collect_variants(const std::vector<fs::path>& folders, const AllowList& allowed, diag::Sink& sink) {
    std::vector<LocalVariant> variants;
    for (const auto& folder : folders) {
        KB_TRY_ASSIGN(variant, collect_variant(folder, allowed, sink));
        variants.push_back(std::move(variant));
    }
    std::sort(variants.begin(), variants.end(), [](const LocalVariant& a, const LocalVariant& b) {
        return a.name < b.name;
    });
    return variants;
}

Result<std::vector<LocalFile>> collect_benchmarks(const fs::path& project) {
    const auto folder = project / "benchmarks";
    KB_TRY_ASSIGN(names, support::list_names(folder));
    std::vector<LocalFile> files;
    for (const auto& name : names) {
        if (!support::matches_glob("benchmark*.py", name) || fs::is_symlink(folder / name) ||
            !support::is_file(folder / name))
            continue;
        KB_TRY_ASSIGN(file, local_file(folder / name, "benchmarks/" + name));
        files.push_back(std::move(file));
    }
    return files;
}

LocalFile text_file(std::string path, std::string text) {
    auto ids = text_ids(text);
    return {std::move(path),
            {},
            std::move(text),
            ids.size,
            std::move(ids.sha256),
            std::move(ids.blob_id)};
}

Result<std::string> read_content(const LocalFile& file) {
    if (file.source.empty())
        return file.text;
    KB_TRY_ASSIGN(text, support::read_file(file.source));
    if (text_ids(text).sha256 != file.sha256)
        return support::fail(support::ErrorKind::failed,
                             fmt::format("`{}` was changed while it was uploaded",
                                         support::display_path(file.source)),
                             "run the same command again");
    return text;
}

} // namespace kbuild::publish
