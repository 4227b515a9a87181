#include "commands.hpp"
#include "completion_script.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>

namespace kbuild::cli {
namespace {

CompletionEntry entry_of(const Command& command) {
    CLI::App app;
    command.bind(app);
    CompletionEntry entry{command.name, command.summary, {}};
    for (const auto* option : app.get_options())
        for (const auto& name : option->get_lnames())
            entry.options.push_back("--" + name);
    std::sort(entry.options.begin(), entry.options.end());
    return entry;
}

support::Result<int> print_completions(const Context& context, const std::string& shell) {
    std::vector<CompletionEntry> entries;
    for (const auto& command : commands())
        entries.push_back(entry_of(command));
    context.data(shell == "bash" ? bash_completion(entries) : zsh_completion(entries));
    return 0;
}

}  // namespace

Command completions_command() {
    return {"completions", "print a completion script", {}, [](CLI::App& app) {
                const auto shell = std::make_shared<std::string>();
                app.add_option("SHELL", *shell, "bash or zsh")
                    ->required()
                    ->check(CLI::IsMember({"bash", "zsh"}));
                return [shell](Context& context) { return print_completions(context, *shell); };
            }};
}

}  // namespace kbuild::cli
