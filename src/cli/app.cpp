#include "kbuild/cli/app.hpp"

#include "usage_error.hpp"

#include "kbuild/cli/command.hpp"
#include "kbuild/support/cancel.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/log.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/support/version_info.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <unistd.h>

namespace kbuild::cli {
namespace {

using support::ErrorKind;

const std::map<std::string, ui::MessageFormat> kMessageFormats = {
    {"human", ui::MessageFormat::human},
    {"short", ui::MessageFormat::short_},
    {"json", ui::MessageFormat::json},
    {"github", ui::MessageFormat::github}};

/// What the parser writes into; turned into Globals once the command line is known to be right.
struct RawGlobals {
    std::string folder;
    std::string color = "auto";
    std::string message_format;
    bool quiet = false;
    int verbose = 0;
    bool offline = false;
    bool locked = false;
};

void declare_globals(CLI::App& app, RawGlobals& raw) {
    app.add_option("-C,--directory", raw.folder, "run as if started in this folder")
        ->type_name("DIR")
        ->envname("KBUILD_DIRECTORY");
    app.add_option("--color", raw.color, "auto, always or never")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->type_name("WHEN")
        ->envname("KBUILD_COLOR");
    app.add_option("--message-format", raw.message_format, "human, short, json or github")
        ->check(CLI::IsMember({"human", "short", "json", "github"}))
        ->type_name("FORMAT")
        ->envname("KBUILD_MESSAGE_FORMAT");
    app.add_flag("-q,--quiet", raw.quiet, "errors only")->envname("KBUILD_QUIET");
    app.add_flag("-v,--verbose", raw.verbose, "more of what happens; twice: a developer's log");
    app.add_flag("--offline", raw.offline, "never use the network")->envname("KBUILD_OFFLINE");
    app.add_flag("--locked", raw.locked, "fail if kbuild.lock would change")
        ->envname("KBUILD_LOCKED");
}

bool wants_color(const std::string& color) {
    if (color != "auto")
        return color == "always";
    if (support::environment("NO_COLOR"))
        return false;
    if (support::environment("FORCE_COLOR") || support::environment("CLICOLOR_FORCE"))
        return true;
    return ::isatty(STDERR_FILENO) != 0 && support::environment("TERM").value_or("") != "dumb";
}

Globals to_globals(const RawGlobals& raw) {
    const bool github = support::environment("GITHUB_ACTIONS") == "true";
    const std::string format =
        raw.message_format.empty() ? (github ? "github" : "human") : raw.message_format;
    Globals globals;
    globals.folder = raw.folder;
    globals.style = {kMessageFormats.at(format),
                     wants_color(raw.color),
                     support::environment("GITHUB_WORKSPACE").value_or("")};
    globals.verbosity = raw.quiet ? -1 : raw.verbose;
    globals.offline = raw.offline;
    globals.locked = raw.locked;
    return globals;
}

std::string version_text() {
    const auto info = support::version_info();
    std::string text = fmt::format("kbuild {}", info.version);
    if (!info.commit.empty())
        text += fmt::format(" ({}{})", info.commit.substr(0, 12), info.dirty ? ", dirty" : "");
    return text;
}

int run_action(Context& context, const Action& action) {
    const auto result = action(context);
    if (result)
        return *result;
    context.show(result.error());
    if (result.error().kind == ErrorKind::interrupted && support::stop_signal() != 0)
        return 128 + support::stop_signal();
    return support::exit_code(result.error().kind);
}

int parse_and_run(std::vector<std::string> arguments) {
    CLI::App app("Builds, checks, runs and publishes GPU kernels for AMD MI300X (gfx942)",
                 "kbuild");
    RawGlobals raw;
    declare_globals(app, raw);
    app.set_version_flag("-V,--version", version_text());
    app.require_subcommand(0, 1);
    app.fallthrough();
    Action action;
    for (const auto& command : commands()) {
        auto* const sub = app.add_subcommand(command.name, command.summary);
        Options options(*sub);
        sub->callback([&action, bound = command.bind(options)] { action = bound; });
    }
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    try {
        app.parse(std::move(reversed));
    } catch (const CLI::CallForHelp&) {
        const auto& parsed = app.get_subcommands();
        Context({}).data(parsed.empty() ? app.help() : parsed.front()->help("kbuild"));
        return 0;
    } catch (const CLI::CallForVersion&) {
        Context({}).data(version_text() + "\n");
        return 0;
    } catch (const CLI::ParseError& error) {
        // The message's format itself may be what was wrong.
        if (kMessageFormats.find(raw.message_format) == kMessageFormats.end())
            raw.message_format.clear();
        Context(to_globals(raw)).show(usage_error(app, error, arguments));
        return support::exit_code(ErrorKind::usage);
    }
    Context context(to_globals(raw));
    support::set_log_level(raw.verbose >= 2 ? support::LogLevel::debug : support::LogLevel::off);
    if (!action) {
        context.data(app.help());
        return 0;
    }
    if (!raw.folder.empty() && ::chdir(raw.folder.c_str()) != 0) {
        context.show(
            support::Error(ErrorKind::usage, fmt::format("there is no folder `{}`", raw.folder)));
        return support::exit_code(ErrorKind::usage);
    }
    return run_action(context, action);
}

/// Upstream's names work as well; they are replaced before parsing, so that help does not show
/// them.
std::vector<std::string> resolve_alias(std::vector<std::string> arguments) {
    const auto word = first_word(arguments);
    for (const auto& command : commands())
        for (const auto& alias : command.aliases)
            if (alias == word)
                for (auto& argument : arguments)
                    if (argument == word) {
                        argument = command.name;
                        return arguments;
                    }
    return arguments;
}

} // namespace

int run(const std::vector<std::string>& arguments) {
    support::install_stop_signals();
    support::set_log_level(support::LogLevel::off);
    try {
        const int code = parse_and_run(resolve_alias(arguments));
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
            std::fputs("error: cannot write to standard output\n", stderr);
            return code != 0 ? code : support::exit_code(ErrorKind::failed);
        }
        return code;
    } catch (const std::exception& error) {
        std::fputs(fmt::format("kbuild: bug: {}\n  {}\n  please report it with the command line\n",
                               error.what(),
                               version_text())
                       .c_str(),
                   stderr);
        return support::exit_code(ErrorKind::internal);
    }
}

} // namespace kbuild::cli
