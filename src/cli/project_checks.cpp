#include "project_checks.hpp"

#include "kbuild/hub/repository.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <thread>

namespace kbuild::cli {
namespace {

using Cause = matrix::Excluded::Cause;
using State = toolchain::Check::State;
using toolchain::Check;

/// What one compile with torch's headers takes at its peak.
constexpr std::uintmax_t kBytesPerJob = 1'500'000'000;

Check check_selected(const matrix::Selected& selected) {
    std::vector<std::string> parts;
    if (selected.torch != nullptr)
        parts.push_back("torch " + selected.torch->full_version);
    if (selected.rocm != nullptr)
        parts.push_back(fmt::format(
            "HIP {} ({})", selected.rocm->full_version, model::to_string(selected.rocm->origin)));
    auto found = "can be built";
    auto text = parts.empty() ? std::string(found)
                              : fmt::format("{} with {}", found, support::join(parts, ", "));
    if (!selected.remark.empty())
        text += "; " + selected.remark;
    return {State::ok, selected.variant.name(), std::move(text), {}};
}

Check check_excluded(const matrix::Excluded& excluded) {
    const auto state = excluded.promised ? State::failure : State::warning;
    return {state, excluded.variant.name(), "left out: " + excluded.reason, excluded.fix};
}

/// `MemAvailable:   12345 kB` of /proc/meminfo, in bytes; 0 if it cannot be told.
std::uintmax_t available_memory() {
    // A file of /proc has no size, which support::read_file() wants to know.
    std::ifstream file("/proc/meminfo");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    constexpr std::string_view kKey = "MemAvailable:";
    const auto at = text.find(kKey);
    if (at == std::string::npos)
        return 0;
    const auto line = support::trim(std::string_view(text).substr(at + kKey.size(), 40));
    std::uintmax_t kilobytes = 0;
    std::from_chars(line.data(), line.data() + line.size(), kilobytes);
    return kilobytes * 1024;
}

} // namespace

std::vector<Check> check_variants(const matrix::BuildSet& set) {
    std::vector<Check> checks;
    for (const auto& selected : set.selected)
        checks.push_back(check_selected(selected));
    for (const auto& excluded : set.excluded)
        if (excluded.cause != Cause::filter)
            checks.push_back(check_excluded(excluded));
    std::sort(checks.begin(), checks.end(), [](const Check& a, const Check& b) {
        return a.name < b.name;
    });
    if (set.selected.empty())
        checks.push_back({State::failure,
                          "variants",
                          "none of the project's variants can be built here",
                          "run the commands of the lines above"});
    return checks;
}

Check check_memory() {
    const auto jobs = std::max(1U, std::thread::hardware_concurrency());
    const auto memory = available_memory();
    if (memory == 0)
        return {State::warning, "memory", "cannot be told", {}};
    const auto found = fmt::format(
        "{} available for {}", support::human_size(memory), support::plural(jobs, "compile"));
    const auto fit = memory / kBytesPerJob;
    if (fit >= jobs)
        return {State::ok, "memory", found, {}};
    return {State::warning,
            "memory",
            fmt::format("{}, less than {} each", found, support::human_size(kBytesPerJob)),
            fmt::format("kbuild build -j {}", std::max<std::uintmax_t>(1, fit))};
}

Check check_token() {
    const auto token = hub::find_token();
    if (token && *token)
        return {State::ok, "Hub token", "there, from " + (*token)->origin, {}};
    return {State::warning,
            "Hub token",
            token ? "none, needed for uploads" : token.error().message,
            "set `HF_TOKEN`, or `hf auth login`"};
}

} // namespace kbuild::cli
