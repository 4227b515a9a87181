#include "kbuild/build/plan.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::build {
namespace {

std::string describe(const generate::Library& library) {
    std::string text =
        fmt::format("  {}: {}\n", library.name, support::plural(library.sources.size(), "compile"));
    for (const auto& source : library.sources)
        text += fmt::format("    {}\n", source.path);
    return text;
}

} // namespace

std::string describe(const Plan& plan) {
    std::string text;
    for (const auto& tree : plan.trees) {
        text += fmt::format("tree {} (compiler {})\n",
                            tree.name,
                            tree.hip ? tree.hip->driver.value_or(tree.cxx) : tree.cxx);
        for (const auto& library : tree.libraries)
            text += describe(library);
    }
    for (const auto& variant : plan.variants) {
        text += fmt::format("variant {}: {} with {}",
                            variant.selected.variant.name(),
                            variant.ops_id,
                            variant.selected.torch ? variant.selected.torch->name : "Python files");
        if (variant.selected.rocm != nullptr)
            text += fmt::format(
                " and {}, archs {}", variant.selected.rocm->name, model::to_string(variant.archs));
        text += "\n";
    }
    const auto& count = plan.compiles;
    const auto links = static_cast<std::size_t>(
        std::count_if(plan.variants.begin(), plan.variants.end(), [](const auto& variant) {
            return !variant.target.empty();
        }));
    text += fmt::format("{}: {} device, {} device with torch, {} binding, {} cpu; {}\n",
                        support::plural(count.total(), "compile"),
                        count.device,
                        count.device_torch,
                        count.binding,
                        count.cpu,
                        support::plural(links, "link"));
    return text;
}

} // namespace kbuild::build
