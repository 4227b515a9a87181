#include "formats.hpp"
#include "text.hpp"

#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <vector>

namespace kbuild::ui {
namespace {

/// The runner reads `%25`, `%0D`, `%0A` back in the message …
std::string escaped_data(std::string text) {
    text = support::replace_all(std::move(text), "%", "%25");
    text = support::replace_all(std::move(text), "\r", "%0D");
    return support::replace_all(std::move(text), "\n", "%0A");
}

/// … and `:` and `,` too in a property, which they would end.
std::string escaped_property(std::string text) {
    text = escaped_data(std::move(text));
    text = support::replace_all(std::move(text), ":", "%3A");
    return support::replace_all(std::move(text), ",", "%2C");
}

std::string_view command_of(diag::Severity severity) {
    switch (severity) {
    case diag::Severity::error:
        return "error";
    case diag::Severity::warning:
        return "warning";
    case diag::Severity::note:
        return "notice";
    }
    return "notice";
}

/// GitHub finds a file only by its path from the checked out repository; messages name it from the
/// current folder.
std::string name_in(const std::string& workspace, const std::string& name) {
    if (workspace.empty())
        return name;
    namespace fs = std::filesystem;
    std::error_code code;
    const auto path = fs::absolute(name, code).lexically_normal();
    const auto relative = path.lexically_relative(fs::path(workspace).lexically_normal());
    return code || relative.empty() || *relative.begin() == ".." ? name : relative.generic_string();
}

/// A property only if it has a value; columns need one line (the runner drops them otherwise).
std::vector<std::string> place_of(const diag::SourceSpan& span, const std::string& workspace) {
    if (!span)
        return {};
    std::vector<std::string> properties = {
        "file=" + escaped_property(name_in(workspace, span.file->name())),
        fmt::format("line={}", span.begin.line),
        fmt::format("endLine={}", std::max(span.end.line, span.begin.line)),
        fmt::format("col={}", span.begin.column)};
    if (span.end.line == span.begin.line)
        properties.push_back(fmt::format("endColumn={}", span.end.column));
    return properties;
}

std::string command(std::string_view name,
                    const std::vector<std::string>& properties,
                    const std::vector<std::string>& lines) {
    return fmt::format("::{} {}::{}\n",
                       name,
                       support::join(properties, ","),
                       escaped_data(sanitized(support::join(lines, "\n"))));
}

} // namespace

std::string github(const diag::Diagnostic& diagnostic, const std::string& workspace) {
    auto properties = place_of(diagnostic.span, workspace);
    properties.push_back("title=" + escaped_property(diagnostic.code));
    std::vector<std::string> lines = {diagnostic.message};
    if (!diagnostic.label.empty())
        lines.push_back(diagnostic.label);
    for (const auto& related : diagnostic.related)
        if (related.span)
            lines.push_back(fmt::format("{}:{}:{}: {}",
                                        related.span.file->name(),
                                        related.span.begin.line,
                                        related.span.begin.column,
                                        related.text));
    for (const auto& note : diagnostic.notes)
        lines.push_back("note: " + note);
    for (const auto& help : diagnostic.help)
        lines.push_back("help: " + help);
    return command(command_of(diagnostic.severity), properties, lines);
}

std::string github(const support::Error& error, const std::string& /*workspace*/) {
    std::vector<std::string> lines = {error.message};
    for (const auto& frame : error.context)
        lines.push_back("while " + frame);
    if (!error.hint.empty())
        lines.push_back("help: " + error.hint);
    return command("error", {"title=kbuild"}, lines);
}

} // namespace kbuild::ui
