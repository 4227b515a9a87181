#include "kbuild/build/explanation.hpp"

#include "ninja_command.hpp"

#include "kbuild/process/runner.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <map>

namespace kbuild::build {
namespace {

using support::Result;
namespace fs = std::filesystem;

constexpr std::string_view kMark = "ninja explain: ";

/// The text between two marks of a line; empty if they are not there in this order.
std::string between(const std::string& line, std::string_view before, std::string_view after) {
    const auto begin = line.find(before);
    if (begin == std::string::npos)
        return {};
    const auto from = begin + before.size();
    const auto end = after.empty() ? line.size() : line.find(after, from);
    return end == std::string::npos ? std::string() : line.substr(from, end - from);
}

/// As the user knows it. Ninja writes names relative to the folder that it runs in.
std::string shown(const std::string& path, const Folders& folders) {
    const auto relative =
        (folders.work / path).lexically_normal().lexically_relative(folders.project);
    return relative.empty() || *relative.begin() == ".." ? path : relative.string();
}

/// What a line says of an output, if it is a cause and not a consequence (`… is dirty`).
Reason reason_in(const std::string& line, const Folders& folders) {
    if (const auto output = between(line, "output ", " doesn't exist"); !output.empty())
        return {output, "it is not there"};
    if (const auto output = between(line, "command line changed for ", ""); !output.empty())
        return {output, "its command changed"};
    if (const auto output = between(line, "deps for '", "' are missing"); !output.empty())
        return {output, "it was not made yet, or its headers are not known"};
    if (const auto output = between(line, "stored deps info out of date for ", " (");
        !output.empty())
        return {output, "it is newer than what is known of its headers"};
    for (const auto* const start : {"recorded mtime of ", "restat of output ", "output "}) {
        const auto output = between(line, start, " older than ");
        auto input = between(line, "most recent input ", " (");
        if (input.empty())
            input = between(line, "older than inputs ", "");
        if (!output.empty() && !input.empty())
            return {output, fmt::format("`{}` is newer", shown(input, folders))};
    }
    return {};
}

/// Ninja tells of CMake's own phony targets too.
bool is_file_of_the_build(const std::string& output) {
    return output.ends_with(".o") || output.ends_with(".a") || output.ends_with(".co") ||
           output.ends_with(".hipfb") || output.find(".so") != std::string::npos;
}

} // namespace

std::vector<Reason> read_explanation(std::string_view printed, const Folders& folders) {
    std::map<std::string, std::string> first;
    for (const auto& line : support::split(printed, '\n')) {
        if (!line.starts_with(kMark))
            continue;
        auto reason = reason_in(line, folders);
        if (is_file_of_the_build(reason.output))
            first.try_emplace(std::move(reason.output), std::move(reason.text));
    }
    std::vector<Reason> reasons;
    for (auto& [output, text] : first)
        reasons.push_back({output, text});
    return reasons;
}

Result<std::vector<Reason>> explain(const Plan& plan,
                                    const WorkFolder& folder,
                                    const toolchain::HostTools& tools,
                                    const fs::path& root) {
    auto command = ninja_command(folder, tools);
    command.arguments = {"-n", "-d", "explain"};
    for (auto& target : targets_of(plan))
        command.arguments.push_back(std::move(target));
    KB_TRY_ASSIGN(output, process::run(command, {.merge_stderr = true}));
    return read_explanation(output.out, {folder.work, root});
}

} // namespace kbuild::build
