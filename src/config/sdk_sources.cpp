#include "kbuild/config/sdk_sources.hpp"

#include "decode_sources.hpp"
#include "edition.hpp"
#include "schema.hpp"
#include "toml_document.hpp"
#include "validate.hpp"

#include "kbuild/support/file.hpp"

namespace kbuild::config {

support::Result<std::optional<model::SdkSources>>
load_user_sources(const std::filesystem::path& config_home, diag::Sink& sink) {
    const auto path = config_home / "config.toml";
    if (!support::path_exists(path))
        return model::SdkSources();
    KB_TRY_ASSIGN(text, support::read_file(path, kLargestFile));
    diag::ErrorWatch watch(sink);
    const auto table = parse_toml(make_source(support::display_path(path), std::move(text)), watch);
    if (table)
        validate(*table, user_schema(), kCurrentEdition, watch);
    if (!table || watch.has_errors())
        return std::optional<model::SdkSources>();
    return sources_of(table->get_table("toolchain"));
}

model::SdkSources joined(model::SdkSources user, const model::SdkSources& project) {
    if (!project.index_url.empty())
        user.index_url = project.index_url;
    user.rocm.insert(user.rocm.end(), project.rocm.begin(), project.rocm.end());
    user.torch.insert(user.torch.end(), project.torch.begin(), project.torch.end());
    return user;
}

} // namespace kbuild::config
