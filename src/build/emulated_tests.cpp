#include "kbuild/build/emulated_tests.hpp"

#include "kbuild/process/runner.hpp"
#include "kbuild/support/file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::build {
namespace {

namespace fs = std::filesystem;
using support::Result;

/// An SDK of the plan with what was compiled by it.
struct DeviceCode {
    const model::RocmSdk* sdk = nullptr;
    std::vector<fs::path> archives;
};

std::vector<DeviceCode> device_code(const Plan& plan) {
    std::map<std::string, DeviceCode> by_sdk;
    for (const auto& variant : plan.variants) {
        if (variant.selected.rocm == nullptr)
            continue;
        auto& code = by_sdk[variant.selected.rocm->name];
        code.sdk = variant.selected.rocm;
        for (const auto& archive : variant.device_archives)
            if (std::find(code.archives.begin(), code.archives.end(), archive) ==
                code.archives.end())
                code.archives.push_back(archive);
    }
    std::vector<DeviceCode> all;
    for (auto& [name, code] : by_sdk)
        if (!code.archives.empty())
            all.push_back(std::move(code));
    return all;
}

process::Command link_command(const DeviceCode& code,
                              const BuildInputs& inputs,
                              const fs::path& source,
                              const fs::path& program) {
    process::Command command;
    command.program = inputs.tools.cxx;
    command.arguments = {"-std=c++17",
                         "-O1",
                         "-D__HIP_PLATFORM_AMD__",
                         "-I" + inputs.root.string(),
                         "-isystem",
                         code.sdk->include.string(),
                         source.string(),
                         "-o",
                         program.string(),
                         "-Wl,--start-group"};
    for (const auto& archive : code.archives)
        command.arguments.push_back(archive.string());
    command.arguments.emplace_back("-Wl,--end-group");
    command.arguments.push_back(code.sdk->hip_library.string());
    command.environment = process::clean_environment();
    return command;
}

Result<EmulatedTest> run_test(const DeviceCode& code,
                              const BuildInputs& inputs,
                              const EmulatedTestInputs& tests,
                              const std::string& source) {
    EmulatedTest test{code.sdk->name, source, false, {}, {}};
    const fs::path program =
        inputs.folder.work / "emulated" / code.sdk->name / fs::path(source).stem();
    KB_TRY(support::make_folder(program.parent_path()));
    process::RunOptions merged;
    merged.merge_stderr = true;
    KB_TRY_ASSIGN(linked,
                  process::run(link_command(code, inputs, inputs.root / source, program), merged));
    if (!linked.status.ok()) {
        test.how = "does not compile or link";
        test.output = linked.out;
        return test;
    }
    process::Command start;
    start.program = program;
    start.folder = inputs.root;
    start.environment = process::clean_environment();
    start.environment.insert(tests.settings.begin(), tests.settings.end());
    start.environment["LD_LIBRARY_PATH"] = fmt::format(
        "{0}:{0}/hip6:{0}/hip7", tests.stand_ins.string()); // installed, or in a build tree
    KB_TRY_ASSIGN(ran, process::run(start, merged));
    test.ok = ran.status.ok();
    test.how = test.ok ? "" : ran.status.describe();
    test.output = ran.out;
    return test;
}

} // namespace

Result<std::vector<EmulatedTest>>
run_emulated_tests(const Plan& plan, const BuildInputs& inputs, const EmulatedTestInputs& tests) {
    std::vector<EmulatedTest> results;
    for (const auto& code : device_code(plan))
        for (const auto& source : tests.sources) {
            KB_TRY_ASSIGN(test, run_test(code, inputs, tests, source));
            results.push_back(std::move(test));
        }
    return results;
}

} // namespace kbuild::build
