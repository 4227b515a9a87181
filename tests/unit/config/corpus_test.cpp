#include "edition.hpp"
#include "parse.hpp"
#include "read_model.hpp"
#include "toml_document.hpp"

#include "kbuild/config/migrate.hpp"
#include "kbuild/config/model_text.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>

using namespace kbuild;
namespace fs = std::filesystem;

/// tests/corpus: what people write (its README says where it comes from). verdicts.tsv has a row a
/// file: edition, upstream's verdict (compared with upstream's own parser by
/// tests/integration/test_verdicts.py), kbuild's, what `kbuild migrate --license MIT` does, and why
/// two of them differ.
namespace {

const fs::path kCorpus = fs::path(KBUILD_SOURCE_DIR) / "tests/corpus";

struct Row {
    std::string edition, upstream, verdict, migration, reason;
};

std::map<std::string, Row> rows() {
    std::map<std::string, Row> table;
    const auto text = support::read_file(kCorpus / "verdicts.tsv");
    REQUIRE(text);
    for (const auto& line : support::split(*text, '\n')) {
        if (line.empty() || line.starts_with('#'))
            continue;
        auto cells = support::split(line, '\t');
        cells.resize(6);
        table[cells[0]] = {cells[1], cells[2], cells[3], cells[4], cells[5]};
    }
    return table;
}

std::string errors_in(const diag::Collector& findings) {
    std::vector<std::string> places;
    for (const auto& finding : findings.sorted())
        if (finding.severity == diag::Severity::error)
            places.push_back(fmt::format(
                "{} {}:{}", finding.code, finding.span.begin.line, finding.span.begin.column));
    return support::join(places, ", ");
}

std::string edition_of(const std::string& text) {
    diag::Collector findings;
    const auto root = config::parse_toml(config::make_source("build.toml", text), findings);
    return root ? std::to_string(config::detect_edition(*root).number) : "-";
}

std::string verdict_on(const std::string& text) {
    diag::Collector findings;
    const auto config = config::parse_build_config("build.toml", text, findings);
    return config ? "accepted" : errors_in(findings);
}

/// The model of a text of any edition.
std::string meaning_of(const std::string& text) {
    diag::Collector findings;
    const auto root = config::parse_toml(config::make_source("build.toml", text), findings);
    REQUIRE(root);
    auto config = config::read_model(*root, config::detect_edition(*root).number, findings);
    if (config.general.license.empty())
        config.general.license = "MIT";
    return config::model_text(config);
}

std::vector<std::string> comments_of(const std::string& text) {
    std::vector<std::string> comments;
    for (const auto& line : support::split(text, '\n'))
        if (const auto at = line.find('#'); at != std::string::npos)
            comments.push_back(line.substr(at));
    return comments;
}

std::string migration_of(const std::string& text) {
    diag::Collector findings;
    const auto result = config::migrate_build_file("build.toml", text, {"MIT"}, findings);
    REQUIRE(result);
    if (!*result)
        return errors_in(findings);
    if ((*result)->from == 5)
        return "current";
    // Whatever the edition: the same meaning, no comment lost, nothing left to do.
    CHECK(meaning_of((*result)->text) == meaning_of(text));
    CHECK(comments_of((*result)->text) == comments_of(text));
    CHECK(edition_of((*result)->text) == "5");
    CHECK(verdict_on((*result)->text) == "accepted");
    return "migrated";
}

} // namespace

TEST_CASE("every file of the corpus has the verdict that the table says, and migrates as it says") {
    auto table = rows();
    const auto names = support::list_names(kCorpus);
    REQUIRE(names);
    for (const auto& name : *names) {
        if (!name.ends_with(".toml"))
            continue;
        const auto text = support::read_file(kCorpus / name);
        REQUIRE(text);
        INFO(name);
        const auto row = table[name];
        CHECK(edition_of(*text) == row.edition);
        CHECK(verdict_on(*text) == row.verdict);
        CHECK(migration_of(*text) == row.migration);
        table.erase(name);
    }
    CHECK(table.empty());
}

TEST_CASE("where kbuild and upstream do not agree the table says why") {
    for (const auto& [name, row] : rows()) {
        INFO(name);
        const bool agree = (row.upstream == "accepted") == (row.verdict == "accepted");
        CHECK((agree || !row.reason.empty()));
    }
}
