#pragma once

#include "checks/finding_log.hpp"

namespace kbuild::emulator {

/// Files findings about one instruction of one wave.
struct Reporter {
    FindingLog& log;
    const std::array<u32, 3>& group;
    u32 wave;
    const Instruction& in;

    void operator()(std::string_view check, std::string message, int lane = -1) const {
        Finding finding;
        finding.check = check;
        finding.message = std::move(message);
        log.add(std::move(finding), group, wave, lane, in);
    }
};

} // namespace kbuild::emulator
