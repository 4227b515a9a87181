#include "settings_file.hpp"

#include "edition.hpp"
#include "schema.hpp"
#include "toml_document.hpp"
#include "validate.hpp"

#include "kbuild/support/file.hpp"

namespace kbuild::config {

support::Result<std::optional<Value>> read_settings_file(const std::filesystem::path& root,
                                                         diag::Sink& sink) {
    const auto path = root / "kbuild.toml";
    if (!support::path_exists(path))
        return Value();
    KB_TRY_ASSIGN(text, support::read_file(path));
    diag::ErrorWatch watch(sink);
    auto table = parse_toml(make_source(support::display_path(path), std::move(text)), watch);
    if (table)
        validate(*table, settings_schema(), kCurrentEdition, watch);
    if (!table || watch.has_errors())
        return std::optional<Value>();
    return table;
}

} // namespace kbuild::config
