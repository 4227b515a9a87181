#pragma once

#include "kbuild/cli/options.hpp"
#include "kbuild/diag/sink.hpp"
#include "kbuild/support/result.hpp"
#include "kbuild/ui/render.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace kbuild::cli {

/// The options that every command has.
struct Globals {
    std::filesystem::path folder; ///< -C; empty: the current one
    ui::Style style;
    int verbosity = 0; ///< -1 quiet, 0, 1, 2
    bool offline = false;
    bool locked = false;
};

/// What a command gets to talk with: data to stdout, everything else to stderr.
class Context {
  public:
    explicit Context(Globals globals) : globals_(std::move(globals)) {}
    const Globals& globals() const { return globals_; }

    /// Data; goes to stdout as it is.
    void data(const std::string& text) const;
    /// One line for a person; silent with -q. Not used for errors.
    void say(const std::string& line) const;
    /// Diagnostics, by position, in the chosen format.
    void show(const diag::Collector& collector) const;
    void show(const support::Error& error) const;

  private:
    Globals globals_;
};

/// What a command does once its options are known: returns the exit code, or an Error, which is
/// shown and whose kind gives the exit code.
using Action = std::function<support::Result<int>(Context&)>;

/// One subcommand: how its options are declared and what it does.
struct Command {
    std::string name;
    std::string summary;
    std::vector<std::string> aliases; ///< upstream's names, not shown in help
    /// Declares options on `app` and returns what is run after parsing.
    std::function<Action(Options& app)> bind;
};

/// Long names of the options that a command declares; sorted.
std::vector<std::string> long_option_names(const Command& command);

/// All commands in the order of the help text (src/cli/registry.cpp).
std::vector<Command> commands();

} // namespace kbuild::cli
