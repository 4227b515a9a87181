#include "commands.hpp"
#include "project.hpp"

#include <memory>

namespace kbuild::cli {

Command check_command() {
    return {"check",
            "find mistakes in build.toml, kbuild.toml and the files they list",
            {"check-config", "validate"},
            [](Options& app) {
                const auto dir = std::make_shared<std::string>();
                app.value(*dir, {.names = "DIR", .help = kProjectHelp});
                return [dir](Context& context) -> support::Result<int> {
                    // Silent if all is well, as compilers are.
                    KB_TRY_ASSIGN(project, load_project(context, *dir));
                    return 0;
                };
            }};
}

} // namespace kbuild::cli
