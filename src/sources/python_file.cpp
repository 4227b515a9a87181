#include "kbuild/sources/python_file.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

namespace kbuild::sources {
namespace {

bool is_name_char(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
           (static_cast<unsigned char>(c) & 0x80U) != 0;
}

struct Token {
    enum class Kind { name, string, symbol };
    Kind kind = Kind::symbol;
    std::string_view text;
    std::size_t offset = 0;

    bool is(std::string_view word) const { return kind != Kind::string && text == word; }
};

/// One statement's line with all its continuation lines.
struct LogicalLine {
    std::size_t indent = 0;
    std::vector<Token> tokens;
};

/// Cuts a file into logical lines: brackets and backslashes join physical ones, strings hide what
/// is in them.
class LineReader {
  public:
    explicit LineReader(std::string_view text) : text_(text) {}

    /// False at the end of the file.
    bool read(LogicalLine& line) {
        line = {};
        int depth = 0;
        std::size_t start = at_; // of the physical line
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '\n') {
                ++at_;
                if (depth == 0 && !line.tokens.empty())
                    return true;
                start = at_;
            } else if (c == '#') {
                skip_comment();
            } else if (c == '\\' || std::isspace(static_cast<unsigned char>(c)) != 0) {
                skip_blank();
            } else {
                if (line.tokens.empty())
                    line.indent = at_ - start;
                line.tokens.push_back(take_token());
                depth += depth_change(line.tokens.back());
            }
        }
        return !line.tokens.empty();
    }

  private:
    static int depth_change(const Token& token) {
        if (token.kind != Token::Kind::symbol)
            return 0;
        if (token.text == "(" || token.text == "[" || token.text == "{")
            return 1;
        return token.text == ")" || token.text == "]" || token.text == "}" ? -1 : 0;
    }

    void skip_comment() {
        const auto end = text_.find('\n', at_);
        at_ = end == std::string_view::npos ? text_.size() : end;
    }

    /// A backslash takes the end of its line with it.
    void skip_blank() {
        if (text_[at_] == '\\') {
            ++at_;
            if (at_ < text_.size() && text_[at_] == '\r')
                ++at_;
        }
        if (at_ < text_.size())
            ++at_;
    }

    Token take_token() {
        const auto begin = at_;
        while (at_ < text_.size() && is_name_char(text_[at_]))
            ++at_;
        const bool quoted = at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'');
        if (quoted && at_ - begin <= 2) {
            skip_string();
            return {Token::Kind::string, text_.substr(begin, at_ - begin), begin};
        }
        if (at_ > begin)
            return {Token::Kind::name, text_.substr(begin, at_ - begin), begin};
        ++at_;
        return {Token::Kind::symbol, text_.substr(begin, 1), begin};
    }

    /// A backslash keeps the next character from ending the string, in raw strings too.
    void skip_string() {
        const char quote = text_[at_];
        const bool triple = text_.substr(at_, 3) == std::string(3, quote);
        const std::string close(triple ? 3 : 1, quote);
        at_ += close.size();
        while (at_ < text_.size() && text_.substr(at_, close.size()) != close) {
            if (!triple && text_[at_] == '\n')
                return;
            at_ += text_[at_] == '\\' ? 2 : 1;
        }
        at_ = std::min(text_.size(), at_ + close.size());
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

using Tokens = std::vector<Token>;

class PythonScanner {
  public:
    explicit PythonScanner(std::string text) { file_.text = std::move(text); }

    PythonFile run() {
        LineReader reader(file_.text);
        LogicalLine line;
        while (reader.read(line))
            take_line(line);
        return std::move(file_);
    }

  private:
    struct Block {
        std::size_t indent = 0;
        bool guards = false;
    };

    void take_line(const LogicalLine& line) {
        while (!blocks_.empty() && blocks_.back().indent >= line.indent)
            blocks_.pop_back();
        note_impls(line.tokens);
        const auto& first = line.tokens.front();
        if (first.is("@") && line.indent == 0)
            return take_decorator(line.tokens);
        const bool guards = first.is("try") || first.is("except") || first.is("else") ||
                            first.is("finally") || first.is("if") || first.is("elif");
        const bool opens = line.tokens.back().is(":");
        take_statements(line.tokens, guards && !opens);
        note_op_uses(line.tokens);
        if (opens)
            blocks_.push_back({line.indent, guards});
    }

    /// The parts between `;`, and after the `:` of a header whose body is on the same line.
    void take_statements(const Tokens& tokens, bool guards) {
        bool begins = true;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (begins && tokens[i].is("import"))
                i = take_import(tokens, i + 1, guards);
            else if (begins && tokens[i].is("from"))
                i = take_from(tokens, i + 1, guards);
            begins = i < tokens.size() && (tokens[i].is(";") || tokens[i].is(":"));
        }
    }

    bool is_guarded() const {
        for (const auto& block : blocks_)
            if (block.guards)
                return true;
        return false;
    }

    /// A dotted name from `i` on; leaves `i` behind it.
    void take_module(const Tokens& tokens, std::size_t& i, bool relative, bool guards) {
        PythonImport import;
        import.relative = relative;
        import.guarded = guards || is_guarded();
        const auto begin = i;
        while (i < tokens.size() && (tokens[i].kind == Token::Kind::name || tokens[i].is("."))) {
            const bool goes_on = i == begin || tokens[i].is(".") || tokens[i - 1].is(".");
            if (!goes_on || tokens[i].is("import"))
                break;
            import.module += tokens[i++].text;
        }
        if (i == begin && !relative)
            return;
        const auto& last = tokens[i > begin ? i - 1 : begin - 1];
        import.offset = i > begin ? tokens[begin].offset : last.offset;
        import.length = last.offset + last.text.size() - import.offset;
        file_.imports.push_back(std::move(import));
    }

    std::size_t take_import(const Tokens& tokens, std::size_t i, bool guards) {
        while (i < tokens.size() && tokens[i].kind == Token::Kind::name) {
            take_module(tokens, i, false, guards);
            if (i + 1 < tokens.size() && tokens[i].is("as"))
                i += 2;
            if (i >= tokens.size() || !tokens[i].is(","))
                break;
            ++i;
        }
        return i;
    }

    std::size_t take_from(const Tokens& tokens, std::size_t i, bool guards) {
        bool relative = false;
        for (; i < tokens.size() && tokens[i].is("."); ++i)
            relative = true;
        take_module(tokens, i, relative, guards);
        const auto& module = file_.imports.empty() ? std::string() : file_.imports.back().module;
        const bool own_ops = relative && (module == "_ops" || module.ends_with("._ops"));
        for (; i < tokens.size() && !tokens[i].is(";"); ++i)
            if (own_ops && tokens[i].is("ops"))
                ops_names_.insert(name_given(tokens, i));
        return i;
    }

    /// `x` of `ops as x`; the name itself where it is given none.
    static std::string_view name_given(const Tokens& tokens, std::size_t i) {
        const bool renamed = i + 2 < tokens.size() && tokens[i + 1].is("as");
        return tokens[renamed ? i + 2 : i].text;
    }

    void note_op_uses(const Tokens& tokens) {
        for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
            const bool is_ops = tokens[i].kind == Token::Kind::name &&
                                ops_names_.contains(tokens[i].text) && tokens[i + 1].is(".") &&
                                (i == 0 || !tokens[i - 1].is("."));
            const auto& use = tokens[i + 2];
            if (is_ops && use.kind == Token::Kind::name && !use.text.starts_with("__"))
                file_.op_uses.push_back({std::string(use.text), use.offset});
        }
    }

    void take_decorator(const Tokens& tokens) {
        std::size_t i = 1;
        while (i + 1 < tokens.size() && tokens[i].kind == Token::Kind::name &&
               tokens[i + 1].is("."))
            i += 2;
        if (i + 1 >= tokens.size() || tokens[i].kind != Token::Kind::name || !tokens[i + 1].is("("))
            return;
        Decorator decorator;
        decorator.name = tokens[i].text;
        decorator.offset = tokens[0].offset;
        decorator.length = tokens[i].offset + tokens[i].text.size() - decorator.offset;
        i += 2;
        decorator.has_argument = i < tokens.size() && !tokens[i].is(")");
        decorator.first_is_prefix_call = is_prefix_call(tokens, i);
        file_.decorators.push_back(std::move(decorator));
    }

    /// `add_op_namespace_prefix(`, perhaps of a module, perhaps given by keyword.
    static bool is_prefix_call(const Tokens& tokens, std::size_t i) {
        if (i + 1 < tokens.size() && tokens[i + 1].is("="))
            i += 2;
        while (i + 1 < tokens.size() && tokens[i].kind == Token::Kind::name &&
               tokens[i + 1].is("."))
            i += 2;
        return i + 1 < tokens.size() && tokens[i].is("add_op_namespace_prefix") &&
               tokens[i + 1].is("(");
    }

    void note_impls(const Tokens& tokens) {
        for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
            if (tokens[i + 1].is("(") && (tokens[i].is("impl") || tokens[i].is("register_kernel")))
                file_.registers_impls = true;
    }

    PythonFile file_;
    std::vector<Block> blocks_;
    std::set<std::string_view> ops_names_; ///< what the file calls the package's operators
};

} // namespace

PythonFile scan_python(std::string text) {
    return PythonScanner(std::move(text)).run();
}

} // namespace kbuild::sources
