#include "usage_error.hpp"

#include "kbuild/support/strings.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <optional>
#include <string_view>

namespace kbuild::cli {
namespace {

using Words = std::vector<std::string>;

/// `kbuild`, or `kbuild check` where a command was recognised.
std::string program(const CLI::App& app) {
    const auto& parsed = app.get_subcommands();
    return parsed.empty() ? "kbuild" : "kbuild " + parsed.front()->get_name();
}

Words long_options(const CLI::App& app) {
    Words names;
    for (const auto* option : app.get_options())
        for (const auto& name : option->get_lnames())
            names.push_back("--" + name);
    return names;
}

Words command_names(const CLI::App& app) {
    Words names;
    for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    return names;
}

Words known_options(const CLI::App& app) {
    auto names = long_options(app);
    for (const auto* command : app.get_subcommands())
        for (auto& name : long_options(*command))
            names.push_back(std::move(name));
    return names;
}

/// A word that no option and no argument takes.
support::Error unexpected_word(const CLI::App& app, const std::string& word) {
    const auto help = fmt::format("see `{} --help`", program(app));
    const auto error = [](std::string message, std::string hint) {
        return support::Error(support::ErrorKind::usage, std::move(message), std::move(hint));
    };
    if (word.starts_with("-")) {
        const auto name = word.substr(0, word.find('='));
        const auto nearest = support::closest(name, known_options(app));
        return error(fmt::format("`{}` has no option `{}`", program(app), name),
                     nearest ? fmt::format("did you mean `{}`?", *nearest) : help);
    }
    if (!app.get_subcommands().empty())
        return error(fmt::format("`{}` does not take `{}`", program(app), word), help);
    const auto nearest = support::closest(word, command_names(app));
    return error(fmt::format("kbuild has no command `{}`", word),
                 nearest ? fmt::format("did you mean `kbuild {}`?", *nearest) : help);
}

/// `--color: sometimes not in {auto,always,never}`, as CLI11 says it.
std::optional<std::string> refused_value(std::string_view what) {
    constexpr std::string_view kChoices = " not in {";
    const auto colon = what.find(": ");
    const auto choices = what.find(kChoices);
    if (colon == std::string_view::npos || choices == std::string_view::npos || choices < colon)
        return std::nullopt;
    const auto value = what.substr(colon + 2, choices - colon - 2);
    auto list = std::string(what.substr(choices + kChoices.size()));
    list = support::replace_all(list.substr(0, list.find('}')), ",", ", ");
    return fmt::format(
        "`{}` does not take `{}`; it takes one of {}", what.substr(0, colon), value, list);
}

/// `Could not convert: --jobs = many`.
std::optional<std::string> unreadable_value(std::string_view what) {
    constexpr std::string_view kStart = "Could not convert: ";
    const auto equals = what.find(" = ");
    if (!what.starts_with(kStart) || equals == std::string_view::npos)
        return std::nullopt;
    return fmt::format("`{}` does not take `{}`",
                       what.substr(kStart.size(), equals - kStart.size()),
                       what.substr(equals + 3));
}

/// `--jobs: 1 required N missing`, `PROGRAM is required`.
std::optional<std::string> missing_value(std::string_view what) {
    const auto colon = what.find(": ");
    if (what.ends_with(" missing") && colon != std::string_view::npos)
        return fmt::format("`{}` needs a value", what.substr(0, colon));
    constexpr std::string_view kRequired = " is required";
    if (what.ends_with(kRequired))
        return fmt::format("`{}` is missing", what.substr(0, what.size() - kRequired.size()));
    return std::nullopt;
}

} // namespace

support::Error
usage_error(const CLI::App& app, const CLI::ParseError& error, const Words& arguments) {
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
        const auto extras = app.remaining(true);
        return unexpected_word(app, extras.empty() ? first_word(arguments) : extras.front());
    }
    const std::string_view what = error.what();
    std::string message(what);
    for (const auto& said : {refused_value(what), unreadable_value(what), missing_value(what)})
        if (said)
            message = *said;
    return {support::ErrorKind::usage, message, fmt::format("see `{} --help`", program(app))};
}

std::string first_word(const Words& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto& word = arguments[i];
        if (word == "-C" || word == "--directory" || word == "--color" ||
            word == "--message-format")
            ++i;
        else if (!word.starts_with("-"))
            return word;
    }
    return {};
}

} // namespace kbuild::cli
