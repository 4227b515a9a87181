#pragma once

#include "kbuild/sources/cpp_file.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace kbuild::sources {

struct Token {
    enum class Kind { end, word, string, other };

    Kind kind = Kind::end;
    std::string_view text; ///< of a string: with prefix and quotes
    std::size_t offset = 0;
    int branch = -1;        ///< the innermost condition
    bool in_define = false; ///< in the body of a macro

    bool is(char c) const { return kind == Kind::other && text.size() == 1 && text[0] == c; }
};

/// Cuts a file into tokens and keeps directives to itself: includes and conditions go into `out`.
/// `out.text` must stay where it is.
class CppLexer {
  public:
    explicit CppLexer(CppFile& out) : out_(out), text_(out.text) {}

    Token next();

  private:
    bool skip_to_token();
    bool skip_comment();
    void skip_line_comment();
    void take_directive();
    std::string_view rest_of_directive();
    void take_include(std::size_t begin);
    void take_define();
    void note_extension_name(std::string_view expression);
    void open_branch(std::string expression);
    void next_branch(std::string expression);
    void close_branch();
    Token take_word();
    Token take_string(std::size_t begin);
    Token take_raw_string(std::size_t begin);
    Token take_other();
    Token made(Token::Kind kind, std::size_t begin) const;
    char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }

    CppFile& out_;
    std::string_view text_;
    std::size_t at_ = 0;
    bool at_line_start_ = true;
    bool in_define_ = false;
    int branch_ = -1;
};

/// What a string token means, quotes and escapes undone.
std::string string_value(std::string_view token);

} // namespace kbuild::sources
