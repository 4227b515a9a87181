#include "schema_lexer.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace kbuild::check {
namespace {

using Kind = SchemaToken::Kind;

// TorchScript's, which are not quite Python's: `try` and `lambda` are names to it.
constexpr std::array<std::string_view, 28> kKeywords = {
    "Ellipsis", "False", "None",   "NoneType", "True",   "and",   "as",
    "assert",   "break", "class",  "continue", "def",    "del",   "elif",
    "else",     "for",   "global", "if",       "import", "in",    "is",
    "not",      "or",    "pass",   "raise",    "return", "while", "with"};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

std::size_t count_while(std::string_view text, std::size_t from, bool (*holds)(char)) {
    std::size_t end = from;
    while (end < text.size() && holds(text[end]))
        ++end;
    return end - from;
}

bool is_hex(char c) {
    return std::isxdigit(static_cast<unsigned char>(c)) != 0;
}

} // namespace

void SchemaLexer::skip_blanks(bool& line_ended) {
    while (at_ < text_.size()) {
        if (text_[at_] == '#' && !text_.substr(at_).starts_with("# type:")) {
            at_ = std::min(text_.find('\n', at_), text_.size());
        } else if (text_.substr(at_, 2) == "\\\n") {
            at_ += 2;
        } else if (text_[at_] == '\n') {
            line_ended = true;
            ++at_;
        } else if (is_blank(text_[at_])) {
            ++at_;
        } else {
            return;
        }
    }
}

SchemaToken SchemaLexer::take(Kind kind, std::size_t length) {
    const SchemaToken token{kind, text_.substr(at_, length), at_};
    at_ += length;
    return token;
}

/// Of a number as strtod reads it, with a `j` for an imaginary one; 0 if there is none.
std::size_t SchemaLexer::number_length() const {
    const auto rest = text_.substr(at_);
    if (rest.starts_with("0x") && rest.size() > 2 && is_hex(rest[2])) {
        auto end = 2 + count_while(rest, 2, is_hex);
        if (end < rest.size() && rest[end] == '.')
            end += 1 + count_while(rest, end + 1, is_hex);
        return end;
    }
    const auto whole = count_while(rest, 0, is_digit);
    auto end = whole;
    if (end < rest.size() && rest[end] == '.') {
        const auto fraction = count_while(rest, end + 1, is_digit);
        if (whole + fraction == 0)
            return 0;
        end += 1 + fraction;
    }
    if (end == 0)
        return 0;
    if (end < rest.size() && (rest[end] == 'e' || rest[end] == 'E')) {
        const bool sign = end + 1 < rest.size() && (rest[end + 1] == '-' || rest[end + 1] == '+');
        const auto digits = count_while(rest, end + 1 + (sign ? 1 : 0), is_digit);
        end += digits == 0 ? 0 : 1 + (sign ? 1 : 0) + digits;
    }
    return end + (end < rest.size() && rest[end] == 'j' ? 1 : 0);
}

/// Of a string with its quotes, single or triple; 0 if it does not end.
std::size_t SchemaLexer::string_length() const {
    const auto rest = text_.substr(at_);
    const std::string_view quotes = rest[0] == '"' ? "\"\"\"" : "'''";
    const auto close = rest.starts_with(quotes) ? quotes : quotes.substr(0, 1);
    std::size_t end = close.size();
    while (end < rest.size() && rest.substr(end, close.size()) != close) {
        if (rest[end] == '\n' && close.size() == 1)
            return 0;
        end += rest[end] == '\\' ? 2 : 1;
    }
    return end < rest.size() ? end + close.size() : 0;
}

SchemaToken SchemaLexer::read() {
    bool line_ended = false;
    skip_blanks(line_ended);
    if (at_ >= text_.size())
        return {Kind::end, {}, text_.size()};
    if (line_ended && depth_ == 0 && begun_)
        return {Kind::line_end, {}, at_};
    begun_ = true;
    const char c = text_[at_];
    if (const auto length = number_length(); length > 0)
        return take(Kind::number, length);
    if (c == '"' || c == '\'') {
        const auto length = string_length();
        return take(length > 0 ? Kind::string : Kind::invalid, std::max<std::size_t>(length, 1));
    }
    if (is_letter(c)) {
        const auto length =
            count_while(text_, at_, [](char d) { return is_letter(d) || is_digit(d); });
        const auto word = text_.substr(at_, length);
        const bool reserved =
            std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end();
        return take(reserved ? Kind::keyword : Kind::name, length);
    }
    for (const std::string_view symbol : {"...", "->"})
        if (text_.substr(at_).starts_with(symbol))
            return take(Kind::symbol, symbol.size());
    const bool known =
        std::string_view("+-*/%@()[]:,={}><.?!&^|~").find(c) != std::string_view::npos;
    return take(known ? Kind::symbol : Kind::invalid, 1);
}

void SchemaLexer::next() {
    current_ = read();
    if (current_.is("(") || current_.is("[") || current_.is("{"))
        ++depth_;
    else if (current_.is(")") || current_.is("]") || current_.is("}"))
        --depth_;
}

SchemaToken SchemaLexer::peek() const {
    SchemaLexer copy = *this;
    copy.next();
    return copy.current();
}

} // namespace kbuild::check
