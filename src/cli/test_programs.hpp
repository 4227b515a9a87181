#pragma once

#include "junit.hpp"
#include "project.hpp"
#include "project_environment.hpp"

#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kbuild::cli {

/// What a C++ test program is made for and started with.
struct ProgramTest {
    std::filesystem::path folder; ///< gets the program
    std::string python;           ///< whose torch it is compiled and linked with
    Variables environment;        ///< for the program
};

/// Compiles each program of `[test] programs` with the torch at hand and runs it with the variant:
/// its only argument is the variant's shared library, which it loads (dlopen) and whose operators
/// it then finds in torch's dispatcher. Names of Python that the library needs are there, and end
/// the program when they are called. Exit code 0 is passed, 77 skipped. One outcome a program.
support::Result<std::vector<TestOutcome>> run_test_programs(const Context& context,
                                                            const Project& project,
                                                            const layout::FoundVariant& variant,
                                                            const ProgramTest& how);

} // namespace kbuild::cli
