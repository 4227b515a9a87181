#include "readable.hpp"
#include "subject.hpp"

#include "kbuild/abi/tables.hpp"
#include "kbuild/model/kernel_name.hpp"
#include "kbuild/sources/python_file.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <set>

namespace kbuild::verify {
namespace {

using diag::Severity;

constexpr std::size_t kMaxSourceBytes = std::size_t{16} << 20U;

/// Names that the package has in its author's project, and not where it is loaded.
bool is_itself(const Subject& subject, const std::string& module) {
    const auto name = model::KernelName::parse(subject.metadata->name);
    return (name && name->module() == module) || subject.metadata->id == module;
}

/// What is there wherever a kernel is loaded: the standard library, torch and what it brings, and
/// the loader. With declared dependencies the metadata does not say what their modules are called.
bool is_there(const Subject& subject, const std::string& module) {
    return module == "torch" || module == "triton" || module == "kernels" ||
           abi::python_modules().contains(module) || !subject.metadata->python_depends.empty();
}

/// Top-level modules that are imported by their full name and must be there: an import that is
/// guarded may be meant to fail.
std::set<std::string> absolute_imports(std::string text) {
    std::set<std::string> modules;
    for (const auto& import : sources::scan_python(std::move(text)).imports)
        if (!import.relative && !import.guarded)
            modules.insert(import.module.substr(0, import.module.find('.')));
    return modules;
}

} // namespace

void check_imports(const Subject& subject, diag::Sink& sink) {
    if (!subject.metadata)
        return;
    const auto files = support::list_files(subject.package);
    std::vector<std::string> own;
    std::vector<std::string> unknown;
    for (const auto& file : files.value_or(std::vector<std::filesystem::path>())) {
        const auto text = file.extension() == ".py"
                              ? support::read_file(subject.package / file, kMaxSourceBytes)
                              : support::Result<std::string>(std::string());
        for (const auto& module : absolute_imports(text.value_or(std::string()))) {
            auto line = fmt::format("`{}` imports `{}`", file.generic_string(), module);
            if (is_itself(subject, module))
                own.push_back(std::move(line));
            else if (!is_there(subject, module))
                unknown.push_back(std::move(line));
        }
    }
    const auto place = subject.place(subject.package);
    if (!own.empty())
        report(sink,
               Severity::error,
               "K0627",
               fmt::format("the Python code of `{}` imports itself by an absolute name", place),
               first_few(own, 5),
               {"a kernel is loaded from its folder under another name: write `from . import …`"});
    if (!unknown.empty())
        report(sink,
               Severity::warning,
               "K0627",
               fmt::format("the Python code of `{}` imports what its users may not have", place),
               first_few(unknown, 5),
               {"use the standard library and torch, or name it under `python-depends` in "
                "build.toml"});
}

} // namespace kbuild::verify
