#include "notes.hpp"

#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::matrix {
namespace {

using model::Backend;
using model::Version;
using Notes = std::vector<std::string>;

std::string dotted_list(const std::vector<Version>& versions) {
    Notes names;
    for (const auto& version : versions)
        names.push_back(version.dotted());
    return support::join(names, ", ");
}

void note_versions(const std::vector<Version>& asked,
                   const std::vector<Version>& known,
                   std::string_view option,
                   Notes& notes) {
    for (const auto& version : asked) {
        if (std::find(known.begin(), known.end(), version.major_minor()) != known.end())
            continue;
        notes.push_back(fmt::format(
            "`{} {}` is not in the matrix ({}); `[matrix]` in kbuild.toml sets another one",
            option,
            version.dotted(),
            dotted_list(known)));
    }
}

void note_names(const Notes& patterns, const std::vector<Candidate>& all, Notes& notes) {
    Notes names;
    for (const auto& candidate : all)
        names.push_back(candidate.variant.name());
    for (const auto& pattern : patterns) {
        const bool fits = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
            return support::matches_glob(pattern, name);
        });
        if (fits)
            continue;
        const auto nearest = support::closest(pattern, names);
        const auto hint = nearest ? fmt::format("; did you mean `{}`?", *nearest) : std::string();
        notes.push_back(fmt::format("`--variant {}` fits no variant{}", pattern, hint));
    }
}

void note_backends(const config::BuildConfig& config, Notes& notes) {
    Notes others;
    for (const auto& backend : config.general.backends)
        if (backend.value != Backend::cpu && backend.value != Backend::rocm)
            others.push_back(fmt::format("`{}`", to_string(backend.value)));
    if (!others.empty())
        notes.push_back(fmt::format("kbuild builds `cpu` and `rocm`; build.toml also lists {}",
                                    support::join(others, ", ")));
}

} // namespace

std::vector<std::string> selection_notes(const config::BuildConfig& config,
                                         const config::Settings& settings,
                                         const Filters& filters,
                                         const std::vector<Candidate>& all) {
    Notes notes;
    note_names(filters.variants, all, notes);
    note_versions(filters.torch, torch_versions(settings), "--torch", notes);
    note_versions(filters.rocm, rocm_versions(settings), "--rocm", notes);
    note_backends(config, notes);
    return notes;
}

} // namespace kbuild::matrix
