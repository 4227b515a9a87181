#include "readable.hpp"
#include "subject.hpp"

#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/model/kernel_name.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace kbuild::verify {
namespace {

namespace fs = std::filesystem;
using diag::Severity;

constexpr std::size_t kMaxMetadataBytes = std::size_t{16} << 20U;

std::optional<model::Variant> check_name(const fs::path& folder, diag::Sink& sink) {
    const auto name = layout::folder_name(folder);
    auto variant = model::Variant::parse(name);
    if (!variant)
        report(sink,
               Severity::error,
               "K0701",
               fmt::format("`{}` is not the name of a variant", name),
               {"the loader takes no notice of folders that it cannot parse"},
               {"names look like `torch213-cxx11-rocm72-x86_64-linux`"});
    return variant;
}

std::optional<layout::Metadata> check_metadata(const Subject& subject, diag::Sink& sink) {
    const auto path = subject.folder / "metadata.json";
    if (!support::is_file(path)) {
        report(sink,
               Severity::error,
               "K0702",
               fmt::format("`{}` is missing", subject.place(path)),
               {"the loader does not load a variant without it"});
        return std::nullopt;
    }
    const auto text = support::read_file(path, kMaxMetadataBytes);
    if (!text) {
        report(sink, "K0703", text.error());
        return std::nullopt;
    }
    auto metadata = layout::read_metadata(*text);
    if (metadata)
        return std::move(*metadata);
    report(sink,
           Severity::error,
           "K0703",
           fmt::format("`{}`: {}", subject.place(path), metadata.error().message),
           {"the loader refuses it"});
    return std::nullopt;
}

void check_backend(const Subject& subject, diag::Sink& sink) {
    const auto& variant = *subject.variant;
    const auto backend = subject.metadata->backend;
    const bool any = variant.framework == model::Variant::Framework::noarch &&
                     variant.noarch_name != model::to_string(variant.backend);
    if (any || backend == variant.backend)
        return;
    report(sink,
           Severity::error,
           "K0704",
           fmt::format("`{}` says backend `{}`, but the folder is a variant for `{}`",
                       subject.place(subject.folder / "metadata.json"),
                       model::to_string(backend),
                       model::to_string(variant.backend)));
}

bool is_identifier(std::string_view text) {
    constexpr std::string_view kAllowed =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    return !text.empty() && text.find_first_not_of(kAllowed) == std::string_view::npos &&
           (text.front() < '0' || text.front() > '9');
}

/// The folder of __init__.py: the variant itself, or (before 2026) a folder named like the module.
fs::path find_package(const Subject& subject) {
    const auto name =
        subject.metadata ? model::KernelName::parse(subject.metadata->name) : std::nullopt;
    if (!name || support::is_file(subject.folder / "__init__.py"))
        return subject.folder;
    const auto inner = subject.folder / name->module();
    return support::is_file(inner / "__init__.py") ? inner : subject.folder;
}

void check_python_files(const Subject& subject, diag::Sink& sink) {
    if (!support::is_file(subject.package / "__init__.py"))
        report(sink,
               Severity::error,
               "K0705",
               fmt::format("`{}` is missing", subject.place(subject.package / "__init__.py")),
               {"it is what the loader imports"});
    const auto ops = subject.package / "_ops.py";
    if (!support::is_file(ops)) {
        report(sink,
               Severity::error,
               "K0706",
               fmt::format("`{}` is missing", subject.place(ops)),
               {"it imports the library; the package's Python code finds its ops through it"});
        return;
    }
    const auto text = support::read_file(ops, kMaxMetadataBytes);
    const bool noarch =
        subject.variant && subject.variant->framework == model::Variant::Framework::noarch;
    if (!text || !subject.metadata || noarch || support::contains(*text, subject.metadata->id))
        return;
    report(sink,
           Severity::error,
           "K0706",
           fmt::format("`{}` does not import `{}`, the id in metadata.json",
                       subject.place(ops),
                       subject.metadata->id),
           {"then the ops of another build, or none, would be called"});
}

std::vector<std::string> library_names(const fs::path& package) {
    const auto names = support::list_names(package);
    std::vector<std::string> libraries;
    for (const auto& name : names ? *names : std::vector<std::string>())
        if (name.ends_with(".so") && support::is_file(package / name))
            libraries.push_back(name);
    return libraries;
}

std::string stem_of(const std::string& library) {
    return library.substr(0, library.find('.'));
}

/// The extension; if none is called like the id, the first library stands in for it, so that it is
/// checked anyway.
std::optional<fs::path> check_library_name(const Subject& subject, diag::Sink& sink) {
    const auto names = library_names(subject.package);
    if (names.empty()) {
        report(sink,
               Severity::error,
               "K0707",
               fmt::format("there is no library (`*.so`) in `{}`", subject.place(subject.package)),
               {"the variant's name says that it holds compiled code"});
        return std::nullopt;
    }
    if (!subject.metadata)
        return subject.package / names.front();
    const auto& id = subject.metadata->id;
    const auto found = std::find_if(
        names.begin(), names.end(), [&id](const auto& name) { return stem_of(name) == id; });
    if (found != names.end())
        return subject.package / *found;
    report(sink,
           Severity::error,
           "K0708",
           fmt::format("metadata.json says id `{}`, but the library is `{}`",
                       id,
                       subject.place(subject.package / names.front())),
           {"id, op namespace and library must have one name, or `_ops.py` cannot import it"},
           {"build the variant again, or take metadata.json and library from the same build"});
    return subject.package / names.front();
}

void check_id(const Subject& subject, diag::Sink& sink) {
    if (is_identifier(subject.metadata->id))
        return;
    report(sink,
           Severity::error,
           "K0708",
           fmt::format("the id `{}` in `{}` is no Python identifier",
                       subject.metadata->id,
                       subject.place(subject.folder / "metadata.json")),
           {"it is the name of the module that `_ops.py` imports"});
}

void check_strays(const Subject& subject, diag::Sink& sink) {
    const auto& folder = subject.folder;
    std::vector<std::string> strays;
    std::error_code code;
    fs::recursive_directory_iterator entry(folder, code);
    for (const fs::recursive_directory_iterator end; !code && entry != end; entry.increment(code)) {
        const auto name = entry->path().filename();
        if (name == "__pycache__" || name.extension() == ".pyc" || entry->is_symlink(code))
            strays.push_back(entry->path().lexically_relative(folder).generic_string());
    }
    if (strays.empty())
        return;
    std::sort(strays.begin(), strays.end());
    for (auto& stray : strays)
        stray = fmt::format("`{}`", stray);
    report(sink,
           Severity::warning,
           "K0710",
           fmt::format("`{}` holds {} that should not be published: bytecode or links",
                       subject.place(folder),
                       support::plural(strays.size(), "entry", "entries")),
           first_few(strays, 5),
           {"remove them; bytecode comes from importing the variant in place"});
}

} // namespace

std::string Subject::place(const fs::path& path) const {
    const auto inside = path.lexically_relative(folder);
    return support::display_path(inside == "." ? shown_as : shown_as / inside);
}

Subject check_layout(const fs::path& folder, const Expectations& expectations, diag::Sink& sink) {
    Subject subject;
    subject.folder = folder;
    subject.shown_as = expectations.shown_as.value_or(folder);
    subject.variant = expectations.variant ? expectations.variant : check_name(folder, sink);
    subject.metadata = check_metadata(subject, sink);
    if (subject.variant && subject.metadata)
        check_backend(subject, sink);
    if (subject.metadata)
        check_id(subject, sink);
    subject.package = find_package(subject);
    check_python_files(subject, sink);
    if (!subject.variant || subject.variant->framework != model::Variant::Framework::noarch)
        subject.library = check_library_name(subject, sink);
    check_strays(subject, sink);
    return subject;
}

void check_digest(const Subject& subject, diag::Sink& sink) {
    if (!subject.metadata || !subject.metadata->digest)
        return;
    if (subject.metadata->digest_algorithm != "sha256") {
        report(sink,
               Severity::note,
               "K0615",
               fmt::format("the digest in `{}` was not checked: its algorithm is {}",
                           subject.place(subject.folder / "metadata.json"),
                           subject.metadata->digest_algorithm));
        return;
    }
    const auto differences = layout::compare_digest(*subject.metadata->digest, subject.folder);
    if (!differences)
        return report(sink, "K0709", differences.error());
    std::vector<std::string> lines;
    for (const auto& difference : *differences) {
        using Kind = layout::DigestDifference::Kind;
        const std::string_view what = difference.kind == Kind::missing     ? "is missing"
                                      : difference.kind == Kind::different ? "has other bytes"
                                                                           : "is not in the digest";
        lines.push_back(fmt::format("`{}` {}", difference.path, what));
    }
    if (!lines.empty())
        report(sink,
               Severity::error,
               "K0709",
               fmt::format(
                   "the files of `{}` are not those that the digest in metadata.json was made of",
                   subject.place(subject.folder)),
               first_few(lines, 10),
               {"something changed the variant after it was finished; build or download it again"});
}

} // namespace kbuild::verify
