#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/support/file.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <system_error>

namespace kbuild::layout {
namespace {

namespace fs = std::filesystem;
using support::Result;

bool has_metadata(const fs::path& folder) {
    return support::is_file(folder / "metadata.json");
}

struct Candidate {
    fs::path path;
    std::optional<model::Variant> variant;
    bool metadata = false;
    bool good() const { return variant && metadata; }
    bool meant() const { return variant || metadata; }
};

Candidate look_at(const fs::path& folder) {
    return {folder, model::Variant::parse(folder_name(folder)), has_metadata(folder)};
}

using Accepts = bool (Candidate::*)() const;

/// What `dir` itself or the first place with something acceptable holds, sorted by path.
Result<std::vector<Candidate>> find_candidates(const fs::path& dir, Accepts accepts) {
    if (!support::is_folder(dir))
        return support::fail(support::ErrorKind::nothing,
                             fmt::format("there is no folder `{}`", support::display_path(dir)));
    if (const auto self = look_at(dir); (self.*accepts)())
        return std::vector{self};
    const std::array<fs::path, 3> places = {dir / "result", dir / "build", dir};
    for (const auto& place : places) {
        KB_TRY_ASSIGN(names, support::list_names(place));
        std::vector<Candidate> found;
        for (const auto& name : names) {
            if (!support::is_folder(place / name))
                continue;
            const auto candidate = look_at(place / name);
            if ((candidate.*accepts)())
                found.push_back(candidate);
        }
        if (!found.empty())
            return found;
    }
    return support::fail(support::ErrorKind::nothing,
                         fmt::format("no built variant in `{}`, `{}` or `{}`",
                                     support::display_path(places[0]),
                                     support::display_path(places[1]),
                                     support::display_path(places[2])),
                         "`kbuild build` makes them");
}

} // namespace

std::string folder_name(const fs::path& folder) {
    std::error_code code;
    auto path = fs::absolute(folder, code).lexically_normal();
    return path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
}

Result<std::vector<FoundVariant>> discover(const fs::path& dir) {
    KB_TRY_ASSIGN(candidates, find_candidates(dir, &Candidate::good));
    std::vector<FoundVariant> found;
    for (auto& candidate : candidates)
        found.push_back({std::move(*candidate.variant), std::move(candidate.path)});
    return found;
}

Result<std::vector<fs::path>> discover_folders(const fs::path& dir) {
    KB_TRY_ASSIGN(candidates, find_candidates(dir, &Candidate::meant));
    std::vector<fs::path> found;
    for (auto& candidate : candidates)
        found.push_back(std::move(candidate.path));
    return found;
}

} // namespace kbuild::layout
