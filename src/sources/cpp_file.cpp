#include "kbuild/sources/cpp_file.hpp"

#include "cpp_lexer.hpp"

#include <algorithm>

namespace kbuild::sources {
namespace {

using Kind = Token::Kind;

/// A type of HIP's, or one of torch's without the `k` of the enumerator.
std::optional<WordKind> kind_of_fp8_type(std::string_view word) {
    if (word == "__hip_fp8_e4m3_fnuz" || word == "__hip_fp8_e5m2_fnuz" ||
        word == "Float8_e4m3fnuz" || word == "Float8_e5m2fnuz")
        return WordKind::fnuz_type;
    if (word == "__hip_fp8_e4m3" || word == "__hip_fp8_e5m2" || word == "Float8_e4m3fn" ||
        word == "Float8_e5m2")
        return WordKind::ocp_type;
    return std::nullopt;
}

std::optional<WordKind> kind_of_word(std::string_view word) {
    switch (word[0]) {
    case '_':
        if (word == "__global__" || word == "__shared__")
            return WordKind::device_code;
        return kind_of_fp8_type(word);
    case 'F':
        return kind_of_fp8_type(word);
    case 'k':
        return kind_of_fp8_type(word.substr(1));
    case 'P':
        if (word == "PYBIND11_MODULE" || word.starts_with("PyInit_"))
            return WordKind::module_init;
        break;
    case 'R':
        if (word == "REGISTER_EXTENSION")
            return WordKind::register_extension;
        break;
    case 'S':
    case 'T':
        if (word == "TORCH_EXTENSION_NAME")
            return WordKind::extension_name;
        if (word.ends_with("_EXPAND") && word.find("TORCH_LIBRARY") != std::string_view::npos)
            return WordKind::expand_macro;
        break;
    default:
        break;
    }
    return std::nullopt;
}

bool is_library_macro(std::string_view word) {
    if (word.starts_with("STABLE_"))
        word.remove_prefix(7);
    return word == "TORCH_LIBRARY" || word == "TORCH_LIBRARY_IMPL" ||
           word == "TORCH_LIBRARY_FRAGMENT" || word == "TORCH_LIBRARY_EXPAND" ||
           word == "TORCH_LIBRARY_IMPL_EXPAND" || word == "TORCH_LIBRARY_FRAGMENT_EXPAND";
}

/// One argument of a call, as far as checks ask for it.
struct Argument {
    std::string text; ///< tokens without blanks
    std::optional<Literal> literal;
    bool only_strings = true;
};

class CppScanner {
  public:
    explicit CppScanner(std::string text) { file_.text = std::move(text); }

    CppFile run() {
        CppLexer lexer(file_);
        lexer_ = &lexer;
        for (auto token = next(); token.kind != Kind::end; token = next())
            if (token.kind == Kind::word && !token.in_define && is_library_macro(token.text))
                take_library(token);
        lexer_ = nullptr;
        return std::move(file_);
    }

  private:
    Token next() {
        const auto token = lexer_->next();
        if (token.kind == Kind::word) {
            if (const auto kind = kind_of_word(token.text))
                add_word(*kind, token);
        } else if (token.kind == Kind::other && token.text == "<<<") {
            add_word(WordKind::device_code, token);
        }
        return token;
    }

    /// Of a run of the same kind under the same condition only the first.
    void add_word(WordKind kind, const Token& token) {
        const bool again = !file_.words.empty() && file_.words.back().kind == kind &&
                           file_.words.back().branch == token.branch;
        if (!again)
            file_.words.push_back({kind, token.offset, token.text.size(), token.branch});
    }

    /// The arguments of a call whose `(` has been read; the token after the `)` comes next.
    std::vector<Argument> take_arguments() {
        std::vector<Argument> arguments(1);
        int depth = 0;
        for (auto token = next(); token.kind != Kind::end; token = next()) {
            const bool opens = token.is('(') || token.is('{') || token.is('[');
            const bool closes = token.is(')') || token.is('}') || token.is(']');
            if (closes && depth == 0)
                break;
            depth += opens ? 1 : closes ? -1 : 0;
            if (token.is(',') && depth == 0)
                arguments.emplace_back();
            else
                add_to(arguments.back(), token);
        }
        if (arguments.size() == 1 && arguments[0].text.empty())
            arguments.clear();
        return arguments;
    }

    static void add_to(Argument& argument, const Token& token) {
        argument.text += token.text;
        argument.only_strings &= token.kind == Kind::string;
        if (!argument.only_strings) {
            argument.literal.reset();
            return;
        }
        if (!argument.literal)
            argument.literal = {{}, token.offset, 0};
        argument.literal->text += string_value(token.text);
        argument.literal->length = token.offset + token.text.size() - argument.literal->offset;
    }

    void take_library(const Token& macro) {
        if (!next().is('('))
            return;
        auto arguments = take_arguments();
        LibraryBlock block;
        block.macro = macro.text;
        block.offset = macro.offset;
        block.branch = macro.branch;
        if (arguments.size() != (block.is_impl() ? 3U : 2U) || !next().is('{'))
            return;
        block.name_space = arguments[0].text;
        if (block.is_impl())
            block.key = arguments[1].text;
        take_body(block, arguments.back().text);
        file_.libraries.push_back(std::move(block));
    }

    void take_body(LibraryBlock& block, std::string_view variable) {
        int depth = 1;
        bool after_call = false; // `ops.def(…).def(…)` goes on with the library
        for (auto token = next(); token.kind != Kind::end && depth > 0;) {
            depth += token.is('{') ? 1 : token.is('}') ? -1 : 0;
            if (depth == 0)
                return;
            const bool is_library = token.kind == Kind::word && token.text == variable;
            if (!is_library && !(after_call && token.is('.'))) {
                after_call = false;
                token = next();
                continue;
            }
            if (is_library)
                token = next();
            after_call = token.is('.') && take_call(block);
            block.is_opaque |= !after_call;
            if (after_call)
                token = next();
        }
    }

    /// After the `.`; false if it is neither `def(` nor `impl(`.
    bool take_call(LibraryBlock& block) {
        const auto method = next();
        const bool impl = method.text == "impl";
        if ((!impl && method.text != "def") || !next().is('('))
            return false;
        const auto arguments = take_arguments();
        OpCall call;
        call.is_impl = impl;
        call.arguments = arguments.size();
        if (!arguments.empty())
            call.name = arguments[0].literal;
        if (impl && arguments.size() > 2)
            call.key = arguments[1].text;
        call.offset = method.offset;
        call.branch = method.branch;
        block.calls.push_back(std::move(call));
        return true;
    }

    CppFile file_;
    CppLexer* lexer_ = nullptr;
};

} // namespace

const Word* CppFile::first(WordKind kind) const {
    const auto found = std::find_if(
        words.begin(), words.end(), [kind](const Word& word) { return word.kind == kind; });
    return found == words.end() ? nullptr : &*found;
}

CppFile scan_cpp(std::string text) {
    return CppScanner(std::move(text)).run();
}

} // namespace kbuild::sources
