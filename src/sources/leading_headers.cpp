#include "kbuild/sources/leading_headers.hpp"

#include "kbuild/support/embedded.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace kbuild::sources {
namespace {

constexpr std::string_view kRegistration = "registration.h";

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

/// Cuts a file's beginning into directives; anything else ends it.
class DirectiveReader {
  public:
    explicit DirectiveReader(std::string_view text) : text_(text) {}

    /// The next directive without its `#` and comments, continued lines joined; none at the file's
    /// end or before anything that is not a directive (`at_end` tells which).
    std::optional<std::string> next() {
        skip_blanks();
        if (at_ >= text_.size() || text_[at_] != '#')
            return std::nullopt;
        ++at_;
        return directive();
    }

    bool at_end() {
        skip_blanks();
        return at_ >= text_.size();
    }

    std::size_t line() const {
        return 1 + static_cast<std::size_t>(
                       std::count(text_.begin(), text_.begin() + static_cast<long>(at_), '\n'));
    }

  private:
    bool starts(std::string_view word) const { return text_.substr(at_).starts_with(word); }

    bool skip_comment() {
        if (!starts("/*"))
            return false;
        const auto close = text_.find("*/", at_ + 2);
        at_ = close == std::string_view::npos ? text_.size() : close + 2;
        return true;
    }

    void skip_blanks() {
        while (at_ < text_.size()) {
            if (is_blank(text_[at_]))
                ++at_;
            else if (starts("//"))
                at_ = std::min(text_.find('\n', at_), text_.size());
            else if (!skip_comment())
                return;
        }
    }

    std::string directive() {
        std::string line;
        while (at_ < text_.size() && text_[at_] != '\n') {
            if (starts("\\\n"))
                at_ += 2;
            else if (starts("//"))
                at_ = std::min(text_.find('\n', at_), text_.size());
            else if (skip_comment())
                line += ' ';
            else
                line += text_[at_++];
        }
        return std::string(support::trim(line));
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

/// `name` and what follows it: `include`, `<torch/all.h>`.
struct Directive {
    std::string name;
    std::string rest;
};

Directive parse_directive(const std::string& text) {
    std::size_t end = 0;
    while (end < text.size() && text[end] >= 'a' && text[end] <= 'z')
        ++end;
    return {text.substr(0, end), std::string(support::trim(text.substr(end)))};
}

/// The name that a `#define` defines.
std::string defined_name(const std::string& rest) {
    const auto is_part = [](char c) {
        return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
               (c >= 'A' && c <= 'Z');
    };
    return {rest.begin(), std::find_if_not(rest.begin(), rest.end(), is_part)};
}

class Walk {
  public:
    Walk(SourceTree& tree, const std::vector<std::string>& folders)
        : tree_(tree), folders_(folders) {}

    LeadingHeaders run(const std::string& source) {
        take(source);
        std::erase_if(found_.macros, [this](const EarlyMacro& macro) {
            return macro.before == found_.headers.size();
        });
        return std::move(found_);
    }

  private:
    /// Whether the walk goes on behind this file.
    bool take(const std::string& path) {
        const CppFile* const file = tree_.file(path);
        return file == nullptr ? stop(path, 1, "a file that is not there")
                               : take_text(path, file->text);
    }

    bool take_text(const std::string& path, std::string_view text_of_file) {
        DirectiveReader reader(text_of_file);
        std::string guard;      // of this file
        bool may_guard = true;  // only what stands before everything else is a guard
        bool wants_define = false;
        for (auto text = reader.next(); text; text = reader.next()) {
            const auto [name, rest] = parse_directive(*text);
            const bool defines_guard = name == "define" && rest == guard;
            if (wants_define && !defines_guard)
                return stop(path, reader.line(), "#ifndef " + guard);
            wants_define = false;
            if (name == "pragma" && rest == "once") {
                if (!once_.insert(path).second)
                    return true;
                continue;
            }
            if (name == "ifndef" && may_guard) {
                guard = rest;
                if (is_defined(guard))
                    return true;
                wants_define = true;
            } else if (name == "endif" && !guard.empty()) {
                guard.clear();
            } else if (name == "define") {
                found_.macros.push_back({defined_name(rest), found_.headers.size()});
            } else if (name != "include") {
                return stop(path, reader.line(), "#" + *text);
            } else if (!take_include(path, reader.line(), rest)) {
                return false;
            }
            may_guard = false;
        }
        return reader.at_end() || stop(path, reader.line(), "code");
    }

    bool is_defined(const std::string& macro) const {
        return std::any_of(
            found_.macros.begin(), found_.macros.end(), [&](const EarlyMacro& defined) {
                return defined.name == macro;
            });
    }

    bool take_include(const std::string& from, std::size_t line, const std::string& rest) {
        const bool angle = rest.starts_with('<') && rest.ends_with('>');
        if (!angle && (rest.size() < 2 || rest.front() != '"' || rest.back() != '"'))
            return stop(from, line, "#include " + rest);
        const auto name = rest.substr(1, rest.size() - 2);
        // Only quotes look beside the including file.
        if (const auto path = angle ? tree_.find(name, folders_)
                                    : tree_.resolve(from, name, folders_))
            return take(*path);
        if (name == kRegistration)
            return take_text(name,
                             support::embedded::find(support::embedded::templates(),
                                                     "include/registration.h"));
        found_.headers.push_back(name);
        return true;
    }

    bool stop(const std::string& path, std::size_t line, const std::string& what) {
        found_.end = fmt::format("{}:{}: {}", path, line, what);
        return false;
    }

    SourceTree& tree_;
    const std::vector<std::string>& folders_;
    LeadingHeaders found_;
    std::set<std::string> once_;
};

} // namespace

LeadingHeaders leading_headers(SourceTree& tree,
                               const std::string& source,
                               const std::vector<std::string>& folders) {
    return Walk(tree, folders).run(source);
}

} // namespace kbuild::sources
