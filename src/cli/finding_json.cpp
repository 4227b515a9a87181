#include "finding_json.hpp"

#include "kbuild/ui/render.hpp"

namespace kbuild::cli {

nlohmann::ordered_json finding_json(const diag::Diagnostic& finding) {
    return {{"severity", ui::word_of(finding.severity)},
            {"code", finding.code},
            {"message", finding.message},
            {"notes", finding.notes},
            {"help", finding.help}};
}

std::string json_text(const nlohmann::ordered_json& document) {
    return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

} // namespace kbuild::cli
