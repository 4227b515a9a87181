#include "python_tables.hpp"
#include "rules.hpp"

#include "kbuild/diag/finding.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

namespace kbuild::check {
namespace {

std::vector<std::string> names_of(const DependencyTable& general, const DependencyTable* own) {
    std::vector<std::string> names;
    for (const auto& [name, modules] : general)
        names.push_back(name);
    if (own != nullptr)
        for (const auto& [name, modules] : *own)
            names.push_back(name);
    return names;
}

/// The backend whose table has the name; empty if none has.
std::string backend_that_has(const PythonDepends& depends, const std::string& name) {
    for (const auto& [backend, table] : depends.backends)
        if (table.contains(name))
            return backend;
    return {};
}

void check_names(const config::Strings& names,
                 const PythonDepends& depends,
                 const std::string& backend,
                 diag::Sink& sink) {
    const auto found = depends.backends.find(backend);
    const auto* const own = found == depends.backends.end() ? nullptr : &found->second;
    for (const auto& name : names) {
        if (depends.general.contains(name.value) || (own != nullptr && own->contains(name.value)))
            continue;
        const auto allowed = names_of(depends.general, own);
        auto problem =
            mistake("K0323",
                    fmt::format("`{}` is no Python dependency that kernels can have", name.value),
                    name.span,
                    "refused by the loader");
        problem.notes.push_back(fmt::format("allowed here: `{}`", support::join(allowed, "`, `")));
        if (const auto other = backend_that_has(depends, name.value); !other.empty())
            problem.help.push_back(
                fmt::format("it is one for `{0}` only: list it in `[general.{0}]`", other));
        else if (const auto nearest = support::closest(name.value, allowed))
            problem.help.push_back(fmt::format("did you mean `{}`?", *nearest));
        sink.report(std::move(problem));
    }
}

} // namespace

void check_python_depends(const Subject& subject, diag::Sink& sink) {
    const auto& general = subject.config.general;
    bool any = !general.python_depends.empty();
    for (const auto& [backend, options] : general.backend_options)
        any |= !options.python_depends.empty();
    if (!any)
        return;
    const auto depends = read_python_depends();
    check_names(general.python_depends, depends, {}, sink);
    for (const auto& [backend, options] : general.backend_options)
        check_names(options.python_depends, depends, std::string(to_string(backend)), sink);
}

} // namespace kbuild::check
