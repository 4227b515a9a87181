#pragma once

#include "kbuild/cli/command.hpp"

/// One function per subcommand, each in its own cmd_<name>.cpp; registry.cpp lists them.
namespace kbuild::cli {

inline constexpr const char* kProjectHelp =
    "the project; without it the current folder or a parent of it";

/// `--format`, the shape of standard output.
void declare_format(Options& app, std::string& format, std::vector<std::string> choices);

Command audit_command();
Command build_command();
Command cache_command();
Command check_command();
Command clean_command();
Command completions_command();
Command doctor_command();
Command download_command();
Command emulate_command();
Command explain_command();
Command generate_command();
Command hipify_command();
Command init_command();
Command inspect_command();
Command list_variants_command();
Command lock_command();
Command migrate_command();
Command shell_command();
Command test_command();
Command toolchain_command();
Command upload_command();
Command verify_command();
Command versions_command();
Command wheel_command();
Command whoami_command();

} // namespace kbuild::cli
