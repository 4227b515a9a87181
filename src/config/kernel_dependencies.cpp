#include "kbuild/config/kernel_dependencies.hpp"

#include "toml_document.hpp"

#include "kbuild/support/file.hpp"

#include <fmt/format.h>

namespace kbuild::config {

using support::ErrorKind;
using support::Result;

Result<std::vector<KernelRequirement>>
read_kernel_requirements(const std::filesystem::path& project, diag::Sink& sink) {
    const auto path = project / "pyproject.toml";
    const auto shown = support::display_path(path);
    if (!support::is_file(path))
        return support::fail(ErrorKind::config, fmt::format("there is no `{}`", shown));
    KB_TRY_ASSIGN(text, support::read_file(path, kLargestFile));
    const auto document = parse_toml(make_source("pyproject.toml", std::move(text)), sink);
    if (!document)
        return support::fail(ErrorKind::config, fmt::format("`{}` cannot be read", shown));
    const auto* table = &*document;
    for (const auto* const name : {"tool", "kernels", "dependencies"})
        table = table == nullptr ? nullptr : table->get_table(name);
    if (table == nullptr)
        return support::fail(
            ErrorKind::config,
            fmt::format("`{}` has no table `[tool.kernels.dependencies]`", shown),
            "write there `\"owner/name\" = 1` for each kernel that the project loads");
    std::vector<KernelRequirement> requirements;
    for (const auto& entry : table->entries) {
        if (entry.value.kind != Value::Kind::integer || entry.value.integer < 0)
            return support::fail(
                ErrorKind::config,
                fmt::format("`{}`: `{}` needs a version number, as 1", shown, entry.key));
        requirements.push_back({entry.key, static_cast<std::uint64_t>(entry.value.integer)});
    }
    return requirements;
}

} // namespace kbuild::config
