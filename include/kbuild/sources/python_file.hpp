#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kbuild::sources {

/// A module that an `import` or `from … import` names.
struct PythonImport {
    std::string module; ///< dotted, without leading dots
    bool relative = false;
    bool guarded = false; ///< inside a `try`, or under a condition: may be meant to fail
    std::size_t offset = 0;
    std::size_t length = 0;
};

/// A decorator of a function or class at the top of the module that is a call: `@custom_op("x")`.
struct Decorator {
    std::string name; ///< last part of the dotted name: `custom_op`
    bool has_argument = false;
    bool first_is_prefix_call = false; ///< first argument calls `add_op_namespace_prefix`
    std::size_t offset = 0;            ///< of the `@`
    std::size_t length = 0;            ///< up to the end of the dotted name
};

/// A use of an operator of the package's own: `gemm` in `ops.gemm(…)`, where `ops` came from
/// `._ops`.
struct OpUse {
    std::string name;
    std::size_t offset = 0;
};

/// What one pass over a Python file finds.
struct PythonFile {
    std::string text;
    std::vector<PythonImport> imports;
    std::vector<Decorator> decorators;
    std::vector<OpUse> op_uses;   ///< behind the import of `ops`, in the file's order
    bool registers_impls = false; ///< has a call `….impl(` or `register_kernel(`
};

PythonFile scan_python(std::string text);

} // namespace kbuild::sources
