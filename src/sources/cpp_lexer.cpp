#include "cpp_lexer.hpp"

#include "kbuild/support/strings.hpp"

#include <array>

namespace kbuild::sources {
namespace {

constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_raw_prefix(std::string_view word) {
    return word == "R" || word == "u8R" || word == "uR" || word == "UR" || word == "LR";
}

bool is_string_prefix(std::string_view word) {
    return word == "u8" || word == "u" || word == "U" || word == "L";
}

/// A directive's line with comments and line splices taken out.
std::string without_comments(std::string_view line) {
    std::string result;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const auto two = line.substr(i, 2);
        if (two == "//")
            break;
        if (two == "/*") {
            const auto end = line.find("*/", i + 2);
            if (end == std::string_view::npos)
                break;
            i = end + 1;
            result += ' ';
        } else if (line[i] == '\\' || line[i] == '\n' || line[i] == '\r') {
            result += ' ';
        } else {
            result += line[i];
        }
    }
    return std::string(support::trim(result));
}

char unescaped(char c) {
    switch (c) {
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case 'r':
        return '\r';
    case '0':
        return '\0';
    default:
        return c;
    }
}

} // namespace

Token CppLexer::made(Token::Kind kind, std::size_t begin) const {
    return {kind, text_.substr(begin, at_ - begin), begin, branch_, in_define_};
}

Token CppLexer::next() {
    if (!skip_to_token())
        return {Token::Kind::end, {}, text_.size(), branch_, false};
    const char c = text_[at_];
    if (is_letter(c))
        return take_word();
    if (c == '"' || c == '\'')
        return take_string(at_);
    return take_other();
}

/// Moves over blanks, comments and directives; false at the end of the file.
bool CppLexer::skip_to_token() {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c == '\n') {
            in_define_ = in_define_ && at_ > 0 &&
                         (text_[at_ - 1] == '\\' ||
                          (text_[at_ - 1] == '\r' && at_ > 1 && text_[at_ - 2] == '\\'));
            at_line_start_ = true;
            ++at_;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\\' || c == '\f' || c == '\v') {
            ++at_;
        } else if (c == '/' && skip_comment()) {
            continue;
        } else if (c == '#' && at_line_start_ && !in_define_) {
            take_directive();
        } else {
            at_line_start_ = false;
            return true;
        }
    }
    return false;
}

bool CppLexer::skip_comment() {
    if (peek(1) == '*') {
        const auto end = text_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
        return true;
    }
    if (peek(1) != '/')
        return false;
    skip_line_comment();
    return true;
}

/// A backslash before the end of the line carries the comment on.
void CppLexer::skip_line_comment() {
    do {
        const auto end = text_.find('\n', at_);
        if (end == std::string_view::npos) {
            at_ = text_.size();
            return;
        }
        const bool goes_on = text_[end - 1] == '\\';
        at_ = goes_on ? end + 1 : end;
        if (!goes_on)
            return;
    } while (at_ < text_.size());
}

/// From here to the end of the directive, which is left behind; splices and block comments that
/// span lines belong to it.
std::string_view CppLexer::rest_of_directive() {
    const auto begin = at_;
    while (at_ < text_.size() && text_[at_] != '\n') {
        if (text_[at_] == '/' && (peek(1) == '/' || peek(1) == '*'))
            skip_comment();
        else if (text_[at_] == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n')))
            at_ += peek(1) == '\n' ? 2 : 3;
        else
            ++at_;
    }
    return text_.substr(begin, at_ - begin);
}

void CppLexer::take_directive() {
    at_line_start_ = false;
    ++at_;
    while (peek() == ' ' || peek() == '\t')
        ++at_;
    const auto begin = at_;
    while (is_letter(peek()))
        ++at_;
    const auto name = text_.substr(begin, at_ - begin);
    if (name == "include")
        take_include(at_);
    else if (name == "define")
        take_define();
    else if (name == "if")
        open_branch(without_comments(rest_of_directive()));
    else if (name == "ifdef")
        open_branch("defined(" + without_comments(rest_of_directive()) + ")");
    else if (name == "ifndef")
        open_branch("!defined(" + without_comments(rest_of_directive()) + ")");
    else if (name == "elif")
        next_branch(without_comments(rest_of_directive()));
    else if (name == "else")
        next_branch({});
    else if (name == "endif")
        close_branch();
    if (name != "define")
        rest_of_directive();
}

void CppLexer::take_include(std::size_t begin) {
    at_ = begin;
    while (peek() == ' ' || peek() == '\t')
        ++at_;
    const char open = peek();
    if (open != '"' && open != '<')
        return;
    const auto end = text_.find_first_of(open == '"' ? "\"\n" : ">\n", at_ + 1);
    if (end == std::string_view::npos || text_[end] == '\n')
        return;
    if (end > at_ + 1)
        out_.includes.push_back(
            {std::string(text_.substr(at_ + 1, end - at_ - 1)), at_ + 1, branch_});
    at_ = end + 1;
}

/// The name is not a use of it; the body is read as code that is marked as such.
void CppLexer::take_define() {
    while (peek() == ' ' || peek() == '\t')
        ++at_;
    const auto begin = at_;
    while (is_letter(peek()) || is_digit(peek()))
        ++at_;
    const auto name = text_.substr(begin, at_ - begin);
    out_.defines_registration |= name == "REGISTER_EXTENSION";
    in_define_ = true;
}

/// A file whose conditions ask for the extension's name depends on it as one that uses it.
void CppLexer::note_extension_name(std::string_view expression) {
    constexpr std::string_view kName = "TORCH_EXTENSION_NAME";
    if (support::contains(expression, kName))
        out_.words.push_back({WordKind::extension_name, at_, 0, branch_});
}

void CppLexer::open_branch(std::string expression) {
    note_extension_name(expression);
    out_.branches.push_back({branch_, {}, std::move(expression)});
    branch_ = static_cast<int>(out_.branches.size()) - 1;
}

void CppLexer::next_branch(std::string expression) {
    if (branch_ < 0)
        return;
    note_extension_name(expression);
    auto branch = out_.branches[static_cast<std::size_t>(branch_)];
    branch.earlier.push_back(branch.expression);
    branch.expression = std::move(expression);
    out_.branches.push_back(std::move(branch));
    branch_ = static_cast<int>(out_.branches.size()) - 1;
}

void CppLexer::close_branch() {
    if (branch_ >= 0)
        branch_ = out_.branches[static_cast<std::size_t>(branch_)].parent;
}

Token CppLexer::take_word() {
    const auto begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_])))
        ++at_;
    const auto word = text_.substr(begin, at_ - begin);
    if (peek() == '"' && is_raw_prefix(word))
        return take_raw_string(begin);
    if (peek() == '"' && is_string_prefix(word))
        return take_string(begin);
    return made(Token::Kind::word, begin);
}

/// Ends at its line's end at the latest, so that an apostrophe in a line that is no code does no
/// harm beyond it.
Token CppLexer::take_string(std::size_t begin) {
    const char quote = text_[at_++];
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n')
        at_ += text_[at_] == '\\' && at_ + 1 < text_.size() ? 2 : 1;
    if (peek() == quote)
        ++at_;
    return made(quote == '"' ? Token::Kind::string : Token::Kind::other, begin);
}

Token CppLexer::take_raw_string(std::size_t begin) {
    const auto open = text_.find('(', at_);
    if (open == std::string_view::npos || open - at_ > 17)
        return take_string(begin);
    const auto close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const auto end = text_.find(close, open);
    at_ = end == std::string_view::npos ? text_.size() : end + close.size();
    return made(Token::Kind::string, begin);
}

Token CppLexer::take_other() {
    const auto begin = at_;
    if (is_digit(text_[at_])) {
        while (is_letter(peek()) || is_digit(peek()) || peek() == '.' ||
               (peek() == '\'' && (is_letter(peek(1)) || is_digit(peek(1)))))
            ++at_;
        return made(Token::Kind::other, begin);
    }
    // All of a run, so that the mark of a merge conflict is no launch.
    do
        ++at_;
    while (text_[begin] == '<' && peek() == '<');
    return made(Token::Kind::other, begin);
}

std::string string_value(std::string_view token) {
    const auto quote = token.find('"');
    if (quote > 0 && token[quote - 1] == 'R') {
        const auto open = token.find('(', quote);
        const auto close = token.rfind(')');
        return open == std::string_view::npos || close <= open
                   ? std::string()
                   : std::string(token.substr(open + 1, close - open - 1));
    }
    std::string result;
    for (std::size_t i = quote + 1; i < token.size() && token[i] != '"'; ++i) {
        if (token[i] != '\\' || i + 1 >= token.size())
            result += token[i];
        else if (token[++i] != '\n')
            result += unescaped(token[i]);
    }
    return result;
}

} // namespace kbuild::sources
