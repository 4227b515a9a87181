#include "kbuild/config/migrate.hpp"

#include "edition.hpp"
#include "migration_edits.hpp"
#include "read_model.hpp"
#include "toml_document.hpp"

#include "kbuild/config/load.hpp"
#include "kbuild/config/model_text.hpp"

#include <fmt/format.h>

namespace kbuild::config {
namespace {

using support::Result;

/// Passes errors on; what is merely surprising in the old file is `check`'s business.
class ErrorsOnly : public diag::Sink {
  public:
    explicit ErrorsOnly(diag::Sink& next) : next_(next) {}
    void report(diag::Diagnostic diagnostic) override {
        if (diagnostic.severity == diag::Severity::error)
            next_.report(std::move(diagnostic));
    }

  private:
    diag::Sink& next_;
};

/// A license that the file did not have is the only thing that may differ.
BuildConfig expected_model(BuildConfig config, const Value& root, const MigrationChoices& choices) {
    if (root.get_table("general")->find("license") == nullptr)
        config.general.license = choices.license.value_or("");
    return config;
}

/// That the new text means what the old one meant is proven each time, not believed.
Result<void> compare(const std::string& name, const std::string& text, const BuildConfig& meant) {
    diag::Collector findings;
    const auto result = parse_build_config(name, text, findings);
    if (result && result->edition == kCurrentEdition && model_text(*result) == model_text(meant))
        return {};
    return support::fail(support::ErrorKind::internal,
                         fmt::format("the migrated `{}` would not mean the same as the original, "
                                     "which is left as it is",
                                     name),
                         "please report this with the file");
}

} // namespace

Result<std::optional<Migration>> migrate_build_file(const std::string& name,
                                                    const std::string& text,
                                                    const MigrationChoices& choices,
                                                    diag::Sink& sink) {
    ErrorsOnly errors(sink);
    diag::ErrorWatch watch(errors);
    const auto file = make_source(name, text);
    const auto root = parse_toml(file, watch);
    if (!root)
        return std::nullopt;
    const Edition edition = detect_edition(*root);
    if (edition.number == kCurrentEdition && edition.written)
        return Migration{edition.number, text, {}};
    if (edition.written) {
        report_edition(*root, edition, watch);
        return std::nullopt;
    }
    const auto config = read_model(*root, edition.number, watch);
    if (watch.has_errors())
        return std::nullopt;
    auto plan = plan_migration(*root, config, choices, watch);
    if (watch.has_errors())
        return std::nullopt;
    const auto byte_order_mark = text.substr(0, text.size() - file->text().size());
    Migration migration{edition.number,
                        byte_order_mark + apply_edits(file->text(), plan.edits),
                        std::move(plan.changes)};
    KB_TRY(compare(name, migration.text, expected_model(config, *root, choices)));
    return migration;
}

} // namespace kbuild::config
