#include "rules.hpp"

#include "kbuild/diag/finding.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::check {
namespace {

using sources::SourceKind;
using sources::WordKind;

/// kbuild and upstream both write this one, so it is never listed.
bool is_generated(const std::string& path) {
    return path == "registration.h" || path.ends_with("/registration.h");
}

void report_unlisted(ProjectSources& sources,
                     const Section& section,
                     const std::string& from,
                     const sources::Include& include,
                     const std::string& header,
                     diag::Sink& sink) {
    auto problem = warning("K0301",
                           fmt::format("`{}` is included, but not listed", header),
                           sources.span(from, include.offset, include.name.size()),
                           "included here");
    problem.notes.emplace_back("upstream builds from a copy that has only the files that are "
                               "listed, so there the include fails");
    problem.help.push_back(fmt::format("add `\"{}\"` to `{}`", header, section.key));
    sink.report(std::move(problem));
}

/// Follows the includes of all files of a section, each file once.
void check_section_includes(ProjectSources& sources,
                            const Section& section,
                            std::set<std::string>& reported,
                            diag::Sink& sink) {
    std::vector<std::string> met;
    std::set<std::string> seen;
    for (const auto& file : section.files)
        if (file.kind != SourceKind::other && seen.insert(file.path).second)
            met.push_back(file.path);
    for (std::size_t i = 0; i < met.size(); ++i) {
        const auto from = met[i];
        const auto* const file = sources.tree().file(from);
        if (file == nullptr)
            continue;
        for (const auto& include : file->includes) {
            auto header = sources.tree().resolve(from, include.name, section.folders);
            if (!header || is_generated(*header))
                continue;
            if (!sources.is_listed(*header) && reported.insert(*header).second)
                report_unlisted(sources, section, from, include, *header, sink);
            if (seen.insert(*header).second)
                met.push_back(std::move(*header));
        }
    }
}

/// `-x hip`: the author has told the compiler what it is.
bool names_language(const config::Strings& flags) {
    return std::any_of(flags.begin(), flags.end(), [](const auto& flag) {
        return flag.value == "-x" || flag.value.starts_with("-xhip");
    });
}

/// The first word of device code that is certain to be compiled for one of the backends.
const sources::Word* certain_device_code(const sources::CppFile& file,
                                         const std::vector<model::Backend>& backends) {
    for (const auto& word : file.words)
        if (word.kind == WordKind::device_code)
            for (const auto backend : backends)
                if (is_seen(file.branches, word.branch, macros_of(backend)) == true)
                    return &word;
    return nullptr;
}

void check_host_file(ProjectSources& sources,
                     const ListedFile& listed,
                     const std::vector<model::Backend>& backends,
                     diag::Sink& sink) {
    const auto* const file = sources.tree().file(listed.path);
    if (file == nullptr)
        return;
    const auto* const word = certain_device_code(*file, backends);
    if (word == nullptr)
        return;
    const auto text = file->text.substr(word->offset, word->length);
    auto problem =
        mistake("K0302",
                fmt::format("`{}` has device code, but goes to the host compiler", listed.path),
                sources.span(listed.path, word->offset, word->length),
                text == "<<<" ? "a kernel launch" : "device code");
    problem.related.push_back({listed.span, "listed here"});
    problem.notes.emplace_back("the compiler is chosen by the name: `.hip` files are compiled by "
                               "the HIP compiler, all others by the C++ compiler");
    problem.help.push_back(
        fmt::format("rename it to `{}`",
                    std::filesystem::path(listed.path).replace_extension(".hip").generic_string()));
    sink.report(std::move(problem));
}

} // namespace

void check_includes(ProjectSources& sources, diag::Sink& sink) {
    std::set<std::string> reported;
    for (const auto& section : sources.sections())
        check_section_includes(sources, section, reported, sink);
}

void check_device_code(ProjectSources& sources, diag::Sink& sink) {
    for (const auto& section : sources.sections()) {
        const auto& flags = section.kernel == nullptr ? sources.subject().config.framework.cxx_flags
                                                      : section.kernel->cxx_flags;
        if (names_language(flags))
            continue;
        const auto backends = section.kernel == nullptr
                                  ? sources.built_backends()
                                  : std::vector<model::Backend>{section.kernel->backend};
        for (const auto& file : section.files)
            if (file.kind == SourceKind::host)
                check_host_file(sources, file, backends, sink);
    }
}

} // namespace kbuild::check
