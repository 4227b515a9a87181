#include "formats.hpp"
#include "paint.hpp"

#include <nlohmann/json.hpp>

namespace kbuild::ui {
namespace {

using Json = nlohmann::ordered_json;

std::string_view name_of(support::ErrorKind kind) {
    using support::ErrorKind;
    switch (kind) {
    case ErrorKind::failed:
        return "failed";
    case ErrorKind::usage:
        return "usage";
    case ErrorKind::config:
        return "config";
    case ErrorKind::nothing:
        return "nothing";
    case ErrorKind::toolchain:
        return "toolchain";
    case ErrorKind::content:
        return "content";
    case ErrorKind::network:
        return "network";
    case ErrorKind::lock:
        return "lock";
    case ErrorKind::internal:
        return "internal";
    case ErrorKind::interrupted:
        return "interrupted";
    }
    return "internal";
}

Json span_object(const diag::SourceSpan& span, const std::string& label, bool primary) {
    return {{"file", span.file->name()},
            {"line", span.begin.line},
            {"column", span.begin.column},
            {"end_line", span.end.line},
            {"end_column", span.end.column},
            {"primary", primary},
            {"label", label}};
}

Json spans_of(const diag::Diagnostic& diagnostic) {
    Json spans = Json::array();
    if (diagnostic.span)
        spans.push_back(span_object(diagnostic.span, diagnostic.label, true));
    for (const auto& related : diagnostic.related)
        if (related.span)
            spans.push_back(span_object(related.span, related.text, false));
    return spans;
}

/// Names of files may hold any bytes; what is not UTF-8 becomes U+FFFD, because JSON cannot hold
/// it.
std::string line_of(const Json& object) {
    return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace

std::string json(const diag::Diagnostic& diagnostic) {
    Json object;
    object["reason"] = "diagnostic";
    object["severity"] = word_of(diagnostic.severity);
    object["code"] = diagnostic.code;
    object["message"] = diagnostic.message;
    object["spans"] = spans_of(diagnostic);
    object["notes"] = diagnostic.notes;
    object["help"] = diagnostic.help;
    return line_of(object);
}

std::string json(const support::Error& error) {
    Json object;
    object["reason"] = "error";
    object["kind"] = name_of(error.kind);
    object["exit_code"] = support::exit_code(error.kind);
    object["message"] = error.message;
    object["context"] = error.context;
    object["help"] = error.hint;
    return line_of(object);
}

} // namespace kbuild::ui
