#pragma once

#include <cstddef>
#include <string_view>

namespace kbuild::check {

/// A token of an operator schema. The language's lexer is TorchScript's, so its keywords cannot be
/// names (torch/csrc/jit/frontend/lexer.h).
struct SchemaToken {
    enum class Kind { end, line_end, name, keyword, number, string, symbol, invalid };

    Kind kind = Kind::end;
    std::string_view text;
    std::size_t offset = 0;

    bool is(std::string_view what) const {
        return (kind == Kind::symbol || kind == Kind::keyword) && text == what;
    }
};

class SchemaLexer {
  public:
    explicit SchemaLexer(std::string_view text) : text_(text) { next(); }

    const SchemaToken& current() const { return current_; }
    SchemaToken peek() const; ///< the one after it
    void next();

  private:
    void skip_blanks(bool& line_ended);
    SchemaToken read();
    std::size_t number_length() const;
    std::size_t string_length() const;
    SchemaToken take(SchemaToken::Kind kind, std::size_t length);

    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0; ///< brackets that are open: in them lines do not end
    bool begun_ = false;
    SchemaToken current_;
};

} // namespace kbuild::check
