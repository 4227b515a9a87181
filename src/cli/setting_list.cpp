#include "setting_list.hpp"

#include "kbuild/ui/render.hpp"
#include "kbuild/ui/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kbuild::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& document) {
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string origin_of(const config::EffectiveSetting& setting) {
    const auto& span = setting.origin;
    return span ? fmt::format("{}:{}:{}", span.file->name(), span.begin.line, span.begin.column)
                : std::string("default");
}

} // namespace

std::string settings_table(const std::vector<config::EffectiveSetting>& settings) {
    std::vector<std::vector<std::string>> rows{{"setting", "value", "from"}};
    for (const auto& setting : settings)
        rows.push_back({setting.path, setting.value, origin_of(setting)});
    return ui::table(rows);
}

std::string settings_json(const std::vector<config::EffectiveSetting>& settings) {
    Json list = Json::array();
    for (const auto& setting : settings) {
        Json entry = {{"setting", setting.path}, {"value", setting.value}};
        if (setting.origin)
            entry["origin"] = {{"file", setting.origin.file->name()},
                               {"line", setting.origin.begin.line},
                               {"column", setting.origin.begin.column}};
        else
            entry["origin"] = nullptr;
        list.push_back(std::move(entry));
    }
    return text_of(Json{{"settings", std::move(list)}});
}

std::string findings_json(const diag::Collector& findings) {
    Json document = {{"errors", findings.count(diag::Severity::error)},
                     {"warnings", findings.count(diag::Severity::warning)},
                     {"diagnostics", Json::array()}};
    for (const auto* const finding : findings.in_order()) {
        auto entry = Json::parse(ui::render(*finding, {.format = ui::MessageFormat::json}));
        entry.erase("reason");
        document["diagnostics"].push_back(std::move(entry));
    }
    return text_of(document);
}

} // namespace kbuild::cli
