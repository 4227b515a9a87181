#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace kbuild::cli {

/// How one option looks: `.names` is `-n,--dry-run`, or a word such as `DIR` for a positional one.
struct OptionText {
    std::string names;
    std::string help;
    std::string type;                 ///< what stands for the value in help: `FORMAT`
    std::vector<std::string> choices; ///< empty: any value
    std::string variable;             ///< an environment variable that sets it, `KBUILD_…`
    bool required = false;
};

/// Declares what a command takes. The only face that commands see of the command line library,
/// whose header is by far the slowest of all to compile.
class Options {
  public:
    explicit Options(CLI::App& app) : app_(&app) {}

    /// One value. The variable must outlive the parsing.
    void value(std::string& value, const OptionText& text);
    void value(unsigned& value, const OptionText& text);
    /// Any number of values: options take one each time, or several with commas; positional ones
    /// take all words.
    void values(std::vector<std::string>& values, const OptionText& text);
    void flag(bool& value, const OptionText& text);
    /// A flag that may be given several times.
    void count(int& value, const OptionText& text);
    /// A flag that sets `value` to false, and cannot stand beside the flag called `other`.
    void opposite_flag(bool& value, const OptionText& text, const std::string& other);

    /// A subcommand of the command; `chosen` is called when it is the one on the command line.
    Options
    subcommand(const std::string& name, const std::string& help, std::function<void()> chosen);
    void require_subcommand();

    /// Long names with their dashes, sorted.
    std::vector<std::string> long_names() const;

  private:
    CLI::App* app_;
};

} // namespace kbuild::cli
