#include "kbuild/config/load.hpp"

#include "decode.hpp"
#include "edition.hpp"
#include "read_model.hpp"
#include "schema.hpp"
#include "toml_document.hpp"
#include "validate.hpp"

#include "kbuild/support/file.hpp"

#include <fmt/format.h>

namespace kbuild::config {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

/// Reads far more than parse_toml() takes, so that a file that is too large is a diagnostic like
/// any other.
constexpr std::uintmax_t kReadLimit = 64ULL << 20U;

Result<diag::SourceFilePtr> read_source(const fs::path& path) {
    auto text = support::read_file(path, kReadLimit);
    if (!text)
        return support::fail(ErrorKind::config, text.error().message);
    return make_source(support::display_path(path), std::move(*text));
}

Result<diag::SourceFilePtr> read_build_file(const fs::path& root) {
    const auto path = root / "build.toml";
    if (!support::path_exists(path))
        return support::fail(
            ErrorKind::config,
            fmt::format("there is no `build.toml` in `{}`", support::display_path(root)),
            "`kbuild init OWNER/NAME` makes a project");
    return read_source(path);
}

/// The model of a text as far as it can be made out; none if its syntax or edition stands in the
/// way.
std::optional<BuildConfig> parse_leniently(const diag::SourceFilePtr& file, diag::Sink& sink) {
    const auto root = parse_toml(file, sink);
    if (!root)
        return std::nullopt;
    const Edition edition = detect_edition(*root);
    if (!report_edition(*root, edition, sink))
        return std::nullopt;
    return read_model(*root, edition.number, sink);
}

std::optional<Settings> parse_settings_file(const diag::SourceFilePtr& file, diag::Sink& sink) {
    diag::ErrorWatch watch(sink);
    const auto root = parse_toml(file, watch);
    if (!root)
        return std::nullopt;
    validate(*root, settings_schema(), kCurrentEdition, watch);
    if (watch.has_errors())
        return std::nullopt;
    return decode_settings(*root);
}

std::optional<BuildConfig> parse_strictly(const diag::SourceFilePtr& file, diag::Sink& sink) {
    diag::ErrorWatch watch(sink);
    auto config = parse_leniently(file, watch);
    return watch.has_errors() ? std::nullopt : std::move(config);
}

} // namespace

std::optional<BuildConfig>
parse_build_config(std::string name, std::string text, diag::Sink& sink) {
    return parse_strictly(make_source(std::move(name), std::move(text)), sink);
}

std::optional<Settings> parse_settings(std::string name, std::string text, diag::Sink& sink) {
    return parse_settings_file(make_source(std::move(name), std::move(text)), sink);
}

Result<std::optional<BuildConfig>> load_build_config(const fs::path& root, diag::Sink& sink) {
    KB_TRY_ASSIGN(file, read_build_file(root));
    return parse_strictly(file, sink);
}

Result<std::optional<Settings>> load_settings(const fs::path& root, diag::Sink& sink) {
    const auto path = root / "kbuild.toml";
    if (!support::path_exists(path))
        return Settings();
    KB_TRY_ASSIGN(file, read_source(path));
    return parse_settings_file(file, sink);
}

Result<Reading> read_project(const fs::path& root, diag::Sink& sink) {
    diag::ErrorWatch watch(sink);
    KB_TRY_ASSIGN(file, read_build_file(root));
    Reading reading;
    reading.config = parse_leniently(file, watch);
    if (reading.config)
        check_listed_files(*reading.config, root, watch);
    KB_TRY_ASSIGN(settings, load_settings(root, watch));
    reading.settings = std::move(settings);
    reading.has_errors = watch.has_errors();
    return reading;
}

Result<std::optional<Project>> load_project(const fs::path& root, diag::Sink& sink) {
    KB_TRY_ASSIGN(reading, read_project(root, sink));
    if (reading.has_errors || !reading.config || !reading.settings)
        return std::nullopt;
    return Project{root, std::move(*reading.config), std::move(*reading.settings)};
}

Result<fs::path> find_project(const fs::path& start) {
    std::error_code code;
    const auto from = fs::weakly_canonical(start, code);
    for (auto folder = code ? start : from;; folder = folder.parent_path()) {
        if (support::path_exists(folder / "build.toml"))
            return folder;
        if (folder.empty() || folder == folder.parent_path())
            break;
    }
    return support::fail(
        ErrorKind::config,
        fmt::format("there is no `build.toml` in `{}` or a folder above it", from.string()),
        "`kbuild init OWNER/NAME` makes a project; `-C DIR` or `DIR` names one");
}

} // namespace kbuild::config
