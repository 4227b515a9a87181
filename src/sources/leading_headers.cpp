#include "kbuild/sources/leading_headers.hpp"

#include "kbuild/support/embedded.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
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

    /// The length of a backslash, blanks and the line's end at `at`; 0 if there is no such.
    /// Compilers join such lines before they look for comments.
    std::size_t continuation(std::size_t at) const {
        if (at >= text_.size() || text_[at] != '\\')
            return 0;
        auto end = at + 1;
        while (end < text_.size() && text_[end] != '\n' && is_blank(text_[end]))
            ++end;
        return end < text_.size() && text_[end] == '\n' ? end + 1 - at : 0;
    }

    void skip_line() {
        while (at_ < text_.size() && text_[at_] != '\n')
            at_ += std::max<std::size_t>(continuation(at_), 1);
    }

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
                skip_line();
            else if (!skip_comment())
                return;
        }
    }

    std::string directive() {
        std::string line;
        while (at_ < text_.size() && text_[at_] != '\n') {
            if (const auto joined = continuation(at_))
                at_ += joined;
            else if (starts("//"))
                skip_line();
            else if (skip_comment())
                line += ' ';
            else if (text_[at_] == '"')
                take_text(line);
            else
                line += text_[at_++];
        }
        return std::string(support::trim(line));
    }

    /// `"…"`, in which nothing begins a comment.
    void take_text(std::string& line) {
        do {
            if (text_[at_] == '\\' && continuation(at_) == 0 && at_ + 1 < text_.size())
                line += text_[at_++];
            line += text_[at_++];
        } while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n');
        if (at_ < text_.size() && text_[at_] == '"')
            line += text_[at_++];
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

/// What the reader of directives does not follow: characters and raw texts, in which quotes and
/// comments mean nothing, trigraphs, and a quote that is never closed.
bool is_beyond_reading(const std::string& directive) {
    return support::contains(directive, "'") || support::contains(directive, "R\"") ||
           support::contains(directive, "\?\?") ||
           std::count(directive.begin(), directive.end(), '"') % 2 != 0;
}

/// Names that the header's folder decides on, which is another one in a precompiled header.
bool leaves_its_folder(const std::string& name) {
    return name.starts_with('/') || name.starts_with("./") || name.starts_with("../") ||
           support::contains(name, "/../");
}

// Compilers give up at 200; a header without a guard that includes itself would go on for ever.
constexpr int kDeepest = 100;

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
        if (file == nullptr)
            return stop(path, 1, "a file that is not there");
        if (once_.contains(path))
            return true;
        if (depth_ == kDeepest)
            return stop(path, 1, "includes that go too deep");
        ++depth_;
        const bool goes_on = take_text(path, file->text);
        --depth_;
        return goes_on;
    }

    bool take_text(const std::string& path, std::string_view content) {
        DirectiveReader reader(content);
        std::string guard;     // of this file
        bool may_guard = true; // only what stands before everything else is a guard
        bool wants_define = false;
        for (auto text = reader.next(); text; text = reader.next()) {
            if (is_beyond_reading(*text))
                return stop(path, reader.line(), "#" + *text);
            const auto [name, rest] = parse_directive(*text);
            const bool defines_guard = name == "define" && rest == guard;
            if (wants_define && !defines_guard)
                return stop(path, reader.line(), "#ifndef " + guard);
            wants_define = false;
            if (name == "pragma" && rest == "once") {
                once_.insert(path);
                continue;
            }
            if (name == "ifndef" && may_guard) {
                guard = rest;
                const auto [owner, is_new] = guard_owners_.try_emplace(guard, path);
                // Defined by another file, this is no guard, and may end anywhere.
                if (is_defined(guard))
                    return (!is_new && owner->second == path) ||
                           stop(path, reader.line(), "#" + *text);
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
        return std::any_of(found_.macros.begin(),
                           found_.macros.end(),
                           [&](const EarlyMacro& defined) { return defined.name == macro; });
    }

    bool take_include(const std::string& from, std::size_t line, const std::string& rest) {
        const bool angle = rest.starts_with('<') && rest.ends_with('>');
        if (!angle && (rest.size() < 2 || rest.front() != '"' || rest.back() != '"'))
            return stop(from, line, "#include " + rest);
        const auto name = rest.substr(1, rest.size() - 2);
        // Only quotes look beside the including file.
        if (const auto path =
                angle ? tree_.find(name, folders_) : tree_.resolve(from, name, folders_))
            return take(*path);
        // What kbuild writes for a build is in no SDK.
        if (name == kRegistration)
            return once_.contains(name) ||
                   take_text(name,
                             support::embedded::find(support::embedded::templates(),
                                                     "include/registration.h"));
        if (leaves_its_folder(name))
            return stop(from, line, "#include " + rest);
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
    std::map<std::string, std::string> guard_owners_; // the file of each include guard
    std::set<std::string> once_;
    int depth_ = 0;
};

} // namespace

LeadingHeaders leading_headers(SourceTree& tree,
                               const std::string& source,
                               const std::vector<std::string>& folders) {
    return Walk(tree, folders).run(source);
}

} // namespace kbuild::sources
