#include "kbuild/emulator/options.hpp"

#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>

namespace kbuild::emulator {
namespace {

/// Values of one variable; complaints are collected.
struct Reader {
    std::string& problem;

    std::string text(const char* name) const {
        const char* const value = std::getenv(name);
        return value == nullptr ? std::string() : value;
    }
    void complain(const char* name, const std::string& value, std::string_view known) const {
        problem += fmt::format("{}={}: not understood, known are {}\n", name, value, known);
    }
    template <class T> void number(const char* name, T& to) const {
        const std::string value = text(name);
        if (value.empty())
            return;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), to);
        if (error != std::errc() || end != value.data() + value.size())
            complain(name, value, "whole numbers");
    }
};

void read_checks(const Reader& reader, Checks& checks) {
    const std::string value = reader.text("KBUILD_EMULATE_CHECKS");
    if (value.empty() || value == "all")
        return;
    checks = Checks::none();
    if (value == "none")
        return;
    const std::pair<const char*, bool*> known[] = {{"memory", &checks.memory},
                                                   {"undefined", &checks.undefined},
                                                   {"waits", &checks.waits},
                                                   {"hazards", &checks.hazards},
                                                   {"races", &checks.races},
                                                   {"streams", &checks.streams}};
    for (const auto& name : support::split(value, ',')) {
        bool found = false;
        for (const auto& [check, on] : known)
            if (name == check)
                found = *on = true;
        if (!found)
            reader.complain("KBUILD_EMULATE_CHECKS",
                            name,
                            "all, none, memory, undefined, waits, hazards, races, streams");
    }
}

} // namespace

Options options_from_environment(std::string& problem) {
    const Reader reader{problem};
    Options options;
    read_checks(reader, options.checks);
    const std::string mfma = reader.text("KBUILD_EMULATE_MFMA");
    options.fast_mfma = mfma == "fast";
    if (!mfma.empty() && mfma != "fast" && mfma != "exact")
        reader.complain("KBUILD_EMULATE_MFMA", mfma, "exact, fast");
    const std::string schedule = reader.text("KBUILD_EMULATE_SCHEDULE");
    options.schedule = schedule == "random"    ? Schedule::random
                       : schedule == "reverse" ? Schedule::reverse
                                               : Schedule::round_robin;
    if (!schedule.empty() && schedule != "random" && schedule != "reverse" &&
        schedule != "round-robin")
        reader.complain("KBUILD_EMULATE_SCHEDULE", schedule, "round-robin, random, reverse");
    reader.number("KBUILD_EMULATE_SEED", options.seed);
    reader.number("KBUILD_EMULATE_THREADS", options.threads);
    reader.number("KBUILD_EMULATE_BUDGET", options.budget);
    reader.number("KBUILD_EMULATE_DEVICES", options.devices);
    if (options.devices < 1 || options.devices > 16) {
        reader.complain("KBUILD_EMULATE_DEVICES", fmt::to_string(options.devices), "1 to 16");
        options.devices = 1;
    }
    reader.number("KBUILD_EMULATE_MEMORY", options.memory);
    options.report = reader.text("KBUILD_EMULATE_REPORT");
    options.quiet = !reader.text("KBUILD_EMULATE_QUIET").empty();
    return options;
}

} // namespace kbuild::emulator
