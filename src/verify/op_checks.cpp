#include "readable.hpp"
#include "subject.hpp"

#include "kbuild/inspect/registered_ops.hpp"
#include "kbuild/sources/python_file.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <map>

namespace kbuild::verify {
namespace {

constexpr std::size_t kLargestPython = std::size_t{16} << 20U; // bytes

/// What the package's Python code says of operators.
struct PythonOps {
    std::map<std::string, std::string> used_in; ///< by operator: the first file that uses it
    std::string text;                           ///< all of it
};

PythonOps ops_of(const std::filesystem::path& package) {
    PythonOps ops;
    const auto files = support::list_files(package);
    for (const auto& file : files.value_or(std::vector<std::filesystem::path>())) {
        if (file.extension() != ".py")
            continue;
        const auto text = support::read_file(package / file, kLargestPython);
        if (!text)
            continue;
        ops.text += *text + "\n";
        for (const auto& use : sources::scan_python(*text).op_uses)
            ops.used_in.try_emplace(use.name, file.generic_string());
    }
    return ops;
}

/// `"gemm`, `'gemm`, `::gemm`: Python code may register an operator too, and then names it.
bool is_named_in_python(const PythonOps& ops, const std::string& name) {
    for (const auto* const before : {"\"", "'", "::"})
        if (support::contains(ops.text, before + name))
            return true;
    return false;
}

} // namespace

DeclaredOps check_ops(const Subject& subject, const elf::ElfFile& file, diag::Sink& sink) {
    DeclaredOps declared;
    auto registered = inspect::read_registered_ops(*subject.library, file);
    if (!registered) {
        report(sink, "K0601", registered.error());
        return declared;
    }
    const auto python = ops_of(subject.package);
    for (const auto& [name, where] : python.used_in)
        declared.used.push_back(name);
    if (!*registered)
        return declared;
    declared.name_space = (*registered)->name_space;
    declared.schemas = (*registered)->schemas;
    std::vector<std::string> lines;
    for (const auto& [name, where] : python.used_in)
        if (!(*registered)->may_register(name) && !is_named_in_python(python, name))
            lines.push_back(fmt::format("`{}` uses `ops.{}`", where, name));
    if (lines.empty())
        return declared;
    std::vector<std::string> help;
    if (!declared.schemas.empty())
        help.push_back(
            fmt::format("it has {}", support::join(first_few(declared.schemas, 5), ", ")));
    report(sink,
           diag::Severity::error,
           "K0632",
           fmt::format("`{}` does not register {} that its Python code uses",
                       subject.place(*subject.library),
                       support::plural(lines.size(), "operator")),
           first_few(lines, 10),
           std::move(help));
    return declared;
}

} // namespace kbuild::verify
