#pragma once

#include "kbuild/cli/command.hpp"

/// One function per subcommand, each in its own cmd_<name>.cpp; registry.cpp lists them.
namespace kbuild::cli {

Command explain_command();

}  // namespace kbuild::cli
