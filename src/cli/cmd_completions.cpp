#include "commands.hpp"
#include "completion_script.hpp"

#include <memory>

namespace kbuild::cli {
namespace {

CompletionEntry entry_of(const Command& command) {
    return {command.name, command.summary, long_option_names(command)};
}

support::Result<int> print_completions(const Context& context, const std::string& shell) {
    std::vector<CompletionEntry> entries;
    for (const auto& command : commands())
        entries.push_back(entry_of(command));
    context.data(shell == "bash" ? bash_completion(entries) : zsh_completion(entries));
    return 0;
}

} // namespace

Command completions_command() {
    return {"completions", "print a completion script", {}, [](Options& app) {
                const auto shell = std::make_shared<std::string>();
                app.value(*shell,
                          {.names = "SHELL",
                           .help = "whose script",
                           .choices = {"bash", "zsh"},
                           .required = true});
                return [shell](Context& context) { return print_completions(context, *shell); };
            }};
}

} // namespace kbuild::cli
