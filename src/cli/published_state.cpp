#include "published_state.hpp"

#include "finding_json.hpp"

#include "kbuild/build/identity.hpp"
#include "kbuild/build/recorded_build.hpp"
#include "kbuild/layout/metadata.hpp"
#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/model/kernel_name.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/ui/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using Freshness = PublishedState::State;
using support::Result;

/// Sources that were others when the variant was built; outside git the id does not tell of
/// kernels.
std::string changed_source(const fs::path& folder, const fs::path& project) {
    const auto text = support::read_file(folder / layout::kProvenanceName);
    const auto recorded = text ? build::read_recorded_build(*text)
                               : Result<build::RecordedBuild>(build::RecordedBuild());
    if (!recorded)
        return {};
    const auto changes = build::changed_inputs(*recorded, project);
    return changes.empty() ? std::string() : changes.front();
}

/// What is against a variant that is there: empty for one of these sources.
std::string staleness(const fs::path& folder, const Project& project, const std::string& id) {
    const auto text = support::read_file(folder / "metadata.json");
    if (!text)
        return "it has no `metadata.json`";
    const auto metadata = layout::read_metadata(*text);
    if (!metadata)
        return "its `metadata.json` cannot be read";
    if (metadata->id != id)
        return fmt::format("it is `{}`, the sources are `{}`", metadata->id, id);
    if (metadata->version != project.config.general.version)
        return fmt::format("it is of version {}, build.toml says {}",
                           metadata->version,
                           project.config.general.version);
    if (auto change = changed_source(folder, project.root); !change.empty())
        return change;
    if (!metadata->digest)
        return {};
    const auto differences = layout::compare_digest(*metadata->digest, folder);
    if (!differences || !differences->empty())
        return "its files are not those that were built";
    return {};
}

PublishedState state_of(const model::Variant& variant,
                        const std::string& missing,
                        const Project& project,
                        const std::string& unique_id) {
    const auto folder = project.root / "build" / variant.name();
    if (!support::is_folder(folder))
        return {variant.name(), Freshness::missing, missing};
    const auto id = model::ops_id(project.config.general.name.value, variant.backend, unique_id);
    auto against = staleness(folder, project, id);
    const auto state = against.empty() ? Freshness::built : Freshness::stale;
    return {variant.name(), state, std::move(against)};
}

std::string_view word_of(Freshness state) {
    switch (state) {
    case Freshness::built:
        return "built";
    case Freshness::stale:
        return "stale";
    case Freshness::missing:
        return "missing";
    }
    return "";
}

} // namespace

Result<std::vector<PublishedState>> published_states(const Project& project,
                                                     const matrix::BuildSet& published) {
    KB_TRY_ASSIGN(identity, build::identify(project.root, project.config));
    const auto& id = identity.unique_id;
    std::vector<PublishedState> states;
    for (const auto& selected : published.selected)
        states.push_back(
            state_of(selected.variant,
                     fmt::format("`kbuild build --variant {}` makes it", selected.variant.name()),
                     project,
                     id));
    for (const auto& excluded : published.excluded)
        if (excluded.cause == matrix::Excluded::Cause::sdk) {
            const auto fix = excluded.fix.empty() ? "" : fmt::format("; `{}`", excluded.fix);
            states.push_back(state_of(excluded.variant, excluded.reason + fix, project, id));
        }
    std::sort(states.begin(), states.end(), [](const auto& a, const auto& b) {
        return a.variant < b.variant;
    });
    return states;
}

std::string published_text(const std::vector<PublishedState>& states) {
    std::vector<std::vector<std::string>> rows = {{"published variant", "state", "because"}};
    for (const auto& entry : states)
        rows.push_back({entry.variant, std::string(word_of(entry.state)), entry.detail});
    return ui::table(rows);
}

std::string published_json(const std::vector<PublishedState>& states) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& entry : states)
        list.push_back(
            {{"name", entry.variant}, {"state", word_of(entry.state)}, {"detail", entry.detail}});
    return json_text({{"schema", 1}, {"published", std::move(list)}});
}

} // namespace kbuild::cli
