#include "kbuild/publish/card.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <algorithm>

namespace kbuild::publish {
namespace {

namespace fs = std::filesystem;
using support::Result;
using support::trim;

constexpr std::uintmax_t kMaxSource = std::uintmax_t{4} << 20U;

/// Skips blanks, line ends and comments.
void skip_blanks(std::string_view& text) {
    while (!text.empty()) {
        if (text.front() == '#')
            text.remove_prefix(std::min(text.find('\n'), text.size()));
        else if (std::string_view(" \t\r\n").find(text.front()) != std::string_view::npos)
            text.remove_prefix(1);
        else
            return;
    }
}

/// A Python text without escapes, in single or double quotes.
std::optional<std::string> take_text(std::string_view& text) {
    if (text.empty() || (text.front() != '"' && text.front() != '\''))
        return std::nullopt;
    const auto end = text.find(text.front(), 1);
    if (end == std::string_view::npos)
        return std::nullopt;
    std::string value(text.substr(1, end - 1));
    text.remove_prefix(end + 1);
    return value;
}

std::optional<std::vector<std::string>> take_list(std::string_view text) {
    std::vector<std::string> entries;
    while (true) {
        skip_blanks(text);
        if (text.starts_with(']'))
            return entries;
        auto entry = take_text(text);
        if (!entry)
            return std::nullopt;
        entries.push_back(std::move(*entry));
        skip_blanks(text);
        if (text.starts_with(','))
            text.remove_prefix(1);
        else if (!text.starts_with(']'))
            return std::nullopt;
    }
}

/// What stands after `name =` at the start of a line.
std::optional<std::string_view> assigned(std::string_view python, std::string_view name) {
    for (std::size_t at = 0; at < python.size();) {
        auto rest = python.substr(at);
        if (rest.starts_with(name)) {
            rest = rest.substr(name.size());
            rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
            if (rest.starts_with('=') && !rest.starts_with("=="))
                return rest.substr(1);
        }
        const auto line_end = python.find('\n', at);
        if (line_end == std::string_view::npos)
            return std::nullopt;
        at = line_end + 1;
    }
    return std::nullopt;
}

std::string text_of(const fs::path& file) {
    return support::read_file(file, kMaxSource).value_or(std::string());
}

} // namespace

std::vector<std::string> exported_names(std::string_view python) {
    auto value = assigned(python, "__all__");
    if (!value)
        return {};
    skip_blanks(*value);
    if (!value->starts_with('['))
        return {};
    return take_list(value->substr(1)).value_or(std::vector<std::string>());
}

std::vector<std::string> class_names(std::string_view python) {
    constexpr std::string_view kWord = "class ";
    std::vector<std::string> names;
    for (const auto& line : support::split(python, '\n')) {
        if (!line.starts_with(kWord))
            continue;
        const auto rest = std::string_view(line).substr(kWord.size());
        const auto name = trim(rest.substr(0, rest.find_first_of("(:[")));
        if (!name.empty())
            names.emplace_back(name);
    }
    return names;
}

Result<CardValues> card_values(const fs::path& project, const CardFacts& facts) {
    CardValues values;
    values["repo_id"] = facts.repo_id;
    values["version"] = std::to_string(facts.version);
    values["license"] = support::to_lower(facts.license);
    values["upstream"] = facts.upstream.value_or("");
    values["source"] = facts.source.value_or("");
    values["has_benchmark"] = support::is_file(project / "benchmarks/benchmark.py");
    const auto extension = support::is_folder(project / "torch-ext") ? "torch-ext" : "tvm-ffi-ext";
    const auto package = project / extension / facts.module;
    auto names = exported_names(text_of(package / "__init__.py"));
    const auto layers = std::find(names.begin(), names.end(), "layers");
    std::vector<std::string> classes;
    if (layers != names.end()) {
        names.erase(layers);
        const auto folder = package / "layers/__init__.py";
        classes = class_names(text_of(support::is_file(folder) ? folder : package / "layers.py"));
    }
    values["functions"] = std::move(names);
    values["layers"] = std::move(classes);
    return values;
}

} // namespace kbuild::publish
