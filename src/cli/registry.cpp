#include "commands.hpp"

namespace kbuild::cli {

std::vector<Command> commands() {
    return {
        explain_command(),
    };
}

}  // namespace kbuild::cli
