#pragma once

#include "kbuild/sources/condition.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::sources {

/// An `#include`, whatever condition it stands under.
struct Include {
    std::string name;
    std::size_t offset = 0; ///< of the name, in bytes
    int branch = -1;        ///< of CppFile::branches; -1: none
};

/// Words that checks ask for.
enum class WordKind {
    device_code,        ///< `__global__`, `__shared__` or a launch `<<<`
    extension_name,     ///< TORCH_EXTENSION_NAME
    expand_macro,       ///< a macro that only registration.h has, such as TORCH_LIBRARY_EXPAND
    register_extension, ///< REGISTER_EXTENSION
    module_init,        ///< another way to make a Python module: PyInit_…, PYBIND11_MODULE
    fnuz_type,          ///< Float8_e4m3fnuz and its kin
    ocp_type            ///< Float8_e4m3fn and its kin
};

struct Word {
    WordKind kind = WordKind::device_code;
    std::size_t offset = 0;
    std::size_t length = 0;
    int branch = -1;
};

/// The text of a call's first argument, if it is a string literal.
struct Literal {
    std::string text;
    std::size_t offset = 0; ///< of the opening quote
    std::size_t length = 0; ///< of the source text, quotes included
};

/// `ops.def(…)` or `ops.impl(…)` in the body of a TORCH_LIBRARY.
struct OpCall {
    bool is_impl = false;
    std::optional<Literal> name; ///< schema or name; none if it is computed
    std::size_t arguments = 0;
    std::string key; ///< the dispatch key as written, of `impl` with three arguments
    std::size_t offset = 0;
    int branch = -1;
};

/// `TORCH_LIBRARY(name, ops) { … }` and its relatives.
struct LibraryBlock {
    std::string macro;      ///< `TORCH_LIBRARY_IMPL_EXPAND`
    std::string name_space; ///< as written
    std::string key;        ///< as written, of the IMPL macros
    std::vector<OpCall> calls;
    bool is_opaque = false; ///< the library object is handed to something that is not read
    std::size_t offset = 0;
    int branch = -1;
    bool is_impl() const { return macro.find("_IMPL") != std::string::npos; }
};

/// What one pass over a C++ or HIP file finds. Lexical: comments and strings are told apart from
/// code, macros are not expanded, conditions are kept and not decided.
struct CppFile {
    std::string text;
    std::vector<Include> includes;
    std::vector<Word> words;
    std::vector<LibraryBlock> libraries;
    std::vector<Branch> branches;
    bool defines_registration = false; ///< has a `#define REGISTER_EXTENSION`

    const Word* first(WordKind kind) const; ///< null if there is none
    bool has(WordKind kind) const { return first(kind) != nullptr; }
};

CppFile scan_cpp(std::string text);

} // namespace kbuild::sources
