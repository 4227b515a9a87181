#pragma once

#include "kbuild/build/build.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace kbuild::build {

/// A C++ program of the project that runs its kernels on the CPU.
struct EmulatedTest {
    std::string sdk;    ///< `rocm@6.4`
    std::string source; ///< as listed in `[test] emulate`
    bool ok = false;
    std::string how;    ///< `exit code 6`; empty if ok
    std::string output; ///< of the compiler or the program, both streams
};

struct EmulatedTestInputs {
    std::vector<std::string> sources;            ///< relative to the project
    std::filesystem::path stand_ins;             ///< holds libamdhip64.so.6 and .so.7
    std::map<std::string, std::string> settings; ///< KBUILD_EMULATE_* variables of the programs
};

/// Links each source with the device archives of every ROCm SDK in the plan (the same files that
/// the variants' libraries are linked from) and runs it with the stand-in libamdhip64. Archives
/// that need torch are left out: a test calls the launchers, not the binding. Sorted by SDK and
/// source; failures are part of the result.
support::Result<std::vector<EmulatedTest>>
run_emulated_tests(const Plan& plan, const BuildInputs& inputs, const EmulatedTestInputs& tests);

} // namespace kbuild::build
