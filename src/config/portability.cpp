#include "portability.hpp"

#include "kbuild/diag/finding.hpp"
#include "kbuild/model/version.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

namespace kbuild::config {
namespace {

/// Upstream's release 0.17 compares the bounds as versions of two components and takes no others.
void check_components(const Value* table,
                      std::string_view key,
                      const std::string& path,
                      diag::Sink& sink) {
    const Value* const value = table == nullptr ? nullptr : table->get(key);
    if (value == nullptr || value->kind != Value::Kind::string)
        return;
    const auto version = model::Version::parse(value->text);
    const auto components = support::split(value->text, '.').size();
    if (!version || components == 2)
        return;
    auto problem = warning("K0125",
                           fmt::format("upstream's reader refuses `{}.{}`", path, key),
                           value->span,
                           fmt::format("has {}", support::plural(components, "component")));
    problem.notes.emplace_back("it takes versions of exactly two components; kbuild takes any");
    problem.help.push_back(fmt::format("write `\"{}\"`", version->dotted()));
    sink.report(std::move(problem));
}

} // namespace

void check_portability(const Value& root, diag::Sink& sink) {
    const Value* const general = root.get_table("general");
    const Value* const cuda = general == nullptr ? nullptr : general->get_table("cuda");
    for (const auto* key : {"minver", "maxver"}) {
        check_components(root.get_table("torch"), key, "torch", sink);
        check_components(cuda, key, "general.cuda", sink);
    }
    if (const Value* const kernels = root.get_table("kernel"))
        for (const auto& section : kernels->entries)
            check_components(
                &section.value, "cuda-minver", fmt::format("kernel.{}", section.key), sink);
}

} // namespace kbuild::config
