#include "pip_wheel.hpp"

#include "python.hpp"

#include "kbuild/process/runner.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/tool_environment.hpp"

#include <fmt/format.h>

#include <optional>

namespace kbuild::toolchain {
namespace {

using support::ErrorKind;
using support::Result;
namespace fs = std::filesystem;

/// `torch-2.14.1+cu130-cp311-…whl` -> 2.14.1.
std::optional<model::Version> version_of_wheel(const std::string& name) {
    const auto parts = support::split(name, '-');
    if (parts.size() < 5 || parts[0] != "torch" || !name.ends_with(".whl"))
        return std::nullopt;
    return model::Version::parse(parts[1].substr(0, parts[1].find('+')));
}

std::optional<fs::path> newest_wheel(const fs::path& folder) {
    const auto names = support::list_names(folder);
    std::optional<fs::path> newest;
    std::optional<model::Version> newest_version;
    if (!names)
        return newest;
    for (const auto& name : *names) {
        const auto version = version_of_wheel(name);
        if (version && (!newest_version || *newest_version < *version)) {
            newest = folder / name;
            newest_version = version;
        }
    }
    return newest;
}

/// pip writes a wheel straight to its place: on a full disk, or killed, it leaves the beginning of
/// one, and from then on takes that for the wheel.
Result<void> drop_broken_wheels(const fs::path& folder) {
    KB_TRY_ASSIGN(names, support::list_names(folder));
    for (const auto& name : names) {
        if (!version_of_wheel(name))
            continue;
        KB_TRY_ASSIGN(output, run_script("torch_version.py", {(folder / name).string()}));
        if (!output.status.ok())
            KB_TRY(support::remove_tree(folder / name));
    }
    return {};
}

/// What pip printed, without its progress and its retries. An index that it cannot read is no error
/// to pip: it says so on a line of its own and then that there is no such version.
std::string complaint(const std::string& text) {
    std::vector<std::string> lines;
    for (const auto& line : support::split(text, '\n'))
        if (line.starts_with("Could not fetch URL") || support::contains(line, "ERROR") ||
            support::contains(line, "error"))
            lines.emplace_back(support::trim(line));
    // What a traceback is about stands in its last line.
    if (support::contains(text, "Traceback"))
        lines.emplace_back(support::trim(text.substr(support::trim(text).rfind('\n') + 1)));
    return lines.empty() ? std::string(support::trim(text)) : support::join(lines, "\n");
}

} // namespace

Result<fs::path> download_torch_wheel(const TorchRecipe& recipe,
                                      const std::optional<model::Version>& exact,
                                      const fs::path& into) {
    KB_TRY(need_python());
    KB_TRY(support::make_folder(into));
    KB_TRY(drop_broken_wheels(into));
    const auto& version = recipe.version;
    process::Command command{
        "python3",
        {"-m",
         "pip",
         "download",
         "--no-deps",
         "--only-binary=:all:",
         "--no-cache-dir", // 0.5 GB that would stay there for nothing
         "--disable-pip-version-check",
         "--progress-bar=off",
         "--no-input",
         "--retries=2",
         "-d",
         into.string(),
         exact ? "torch==" + exact->dotted() : fmt::format("torch=={}.*", version.dotted())},
        {},
        fetch_environment()};
    if (!recipe.index_url.empty()) {
        command.arguments.push_back("--index-url=" + recipe.index_url);
        // Wheels of another index are others: pip is to look nowhere else.
        command.environment["PIP_EXTRA_INDEX_URL"] = "";
        command.environment["PIP_FIND_LINKS"] = "";
    }
    process::RunOptions options;
    options.merge_stderr = true;
    KB_TRY_ASSIGN(output, process::run(command, options));
    if (support::contains(output.out, "No module named pip"))
        return support::fail(
            ErrorKind::toolchain, "this `python3` has no pip", "apt-get install python3-pip");
    if (!output.status.ok())
        return support::fail(ErrorKind::network,
                             fmt::format("pip cannot fetch torch {} ({}): {}",
                                         version.dotted(),
                                         output.status.describe(),
                                         complaint(output.out)));
    const auto wheel = newest_wheel(into);
    if (!wheel)
        return support::fail(ErrorKind::network,
                             fmt::format("pip left no wheel of torch {}", version.dotted()));
    return *wheel;
}

} // namespace kbuild::toolchain
