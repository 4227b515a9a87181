#include "checks/finding_log.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::emulator {

void FindingLog::add(
    Finding finding, const std::array<u32, 3>& group, u32 wave, int lane, const Instruction& in) {
    const std::lock_guard lock(mutex_);
    if (finding.fatal)
        stopped_.store(true, std::memory_order_relaxed);
    const auto [place, first] = found_.try_emplace({in.address, finding.check});
    if (!first) {
        ++place->second.count;
        return;
    }
    finding.kernel = kernel_;
    std::copy(group.begin(), group.end(), finding.group);
    finding.wave = wave;
    finding.lane = lane;
    finding.instruction = in.text;
    finding.offset = in.address - code_base_;
    place->second = std::move(finding);
}

std::vector<Finding> FindingLog::take() {
    const std::lock_guard lock(mutex_);
    std::vector<Finding> all;
    for (auto& [key, finding] : found_)
        all.push_back(std::move(finding));
    found_.clear();
    return all;
}

std::string Finding::to_string() const {
    std::string where = fmt::format(
        "kernel `{}`, group ({},{},{}), wave {}", kernel, group[0], group[1], group[2], wave);
    if (lane >= 0)
        where += fmt::format(", lane {}", lane);
    if (instruction.empty())
        return fmt::format("{}: {}", check, message);
    std::string text = fmt::format("{}: {}\n  at {:#x}: `{}`", check, message, offset, instruction);
    if (!source.empty())
        text += fmt::format(" ({})", source);
    text += fmt::format("\n  in {}", where);
    if (count > 1)
        text += fmt::format("; {} times in all", count);
    return text;
}

} // namespace kbuild::emulator
