#include "kbuild/cli/options.hpp"

#include "commands.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace kbuild::cli {
namespace {

CLI::Option* apply(CLI::Option* option, const OptionText& text) {
    option->required(text.required);
    if (!text.choices.empty())
        option->check(CLI::IsMember(text.choices));
    if (!text.type.empty())
        option->type_name(text.type);
    if (!text.variable.empty())
        option->envname(text.variable);
    return option;
}

} // namespace

void Options::value(std::string& value, const OptionText& text) {
    apply(app_->add_option(text.names, value, text.help), text);
}

void Options::value(unsigned& value, const OptionText& text) {
    apply(app_->add_option(text.names, value, text.help), text);
}

void Options::values(std::vector<std::string>& values, const OptionText& text) {
    auto* const option = apply(app_->add_option(text.names, values, text.help), text);
    // With CLI11's default `--variant X DIR` would swallow DIR.
    if (text.names.starts_with("-"))
        option->allow_extra_args(false)->delimiter(',');
}

void Options::flag(bool& value, const OptionText& text) {
    apply(app_->add_flag(text.names, value, text.help), text);
}

void Options::count(int& value, const OptionText& text) {
    apply(app_->add_flag(text.names, value, text.help), text);
}

void Options::opposite_flag(bool& value, const OptionText& text, const std::string& other) {
    apply(app_->add_flag("!" + text.names, value, text.help), text)
        ->excludes(app_->get_option(other));
}

Options Options::subcommand(const std::string& name,
                            const std::string& help,
                            std::function<void()> chosen) {
    auto* const sub = app_->add_subcommand(name, help);
    sub->callback(std::move(chosen));
    return Options(*sub);
}

void Options::require_subcommand() {
    app_->require_subcommand(1);
}

std::vector<std::string> Options::long_names() const {
    std::vector<std::string> names;
    for (const auto* option : std::as_const(*app_).get_options())
        for (const auto& name : option->get_lnames())
            names.push_back("--" + name);
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<std::string> long_option_names(const Command& command) {
    CLI::App app;
    Options options(app);
    command.bind(options);
    return options.long_names();
}

void declare_format(Options& app, std::string& format, std::vector<std::string> choices) {
    app.value(format,
              {.names = "--format",
               .help = "shape of standard output",
               .type = "FORMAT",
               .choices = std::move(choices)});
}

} // namespace kbuild::cli
