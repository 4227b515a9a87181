// kbuild-link COMMAND...: runs a link with shared libraries cut to the names that its objects have.
// GNU ld enters every name of every library into its tables, and torch's export 100,000: most of a
// link's time. Decision 0102.

#include "kbuild/elf/cut_library.hpp"
#include "kbuild/step/response_file.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace kbuild;
using Words = std::vector<std::string>;

/// Of the linked file; the last `-o` counts.
fs::path output_of(const Words& command) {
    fs::path output;
    for (std::size_t i = 0; i + 1 < command.size(); ++i)
        if (command[i] == "-o")
            output = command[i + 1];
    return output;
}

bool is_response_file(const std::string& word) {
    return word.starts_with('@');
}

/// With the words of files of arguments in place of them, which Ninja writes where a command is
/// long; nothing if one cannot be read.
std::optional<Words> expanded(const Words& command) {
    Words words;
    for (const auto& word : command) {
        if (!is_response_file(word)) {
            words.push_back(word);
            continue;
        }
        const auto text = support::read_file(word.substr(1));
        if (!text)
            return std::nullopt;
        const auto more = step::words_of_response_file(*text);
        words.insert(words.end(), more.begin(), more.end());
    }
    return words;
}

bool is_object(const std::string& word) {
    return word.ends_with(".o") || word.ends_with(".a");
}

bool takes_a_value(const std::string& option) {
    return option == "-o" || option == "-Xlinker";
}

/// By its path.
bool is_shared_library(const std::string& word) {
    return word.ends_with(".so") && !word.starts_with('-');
}

/// What the linker looks for itself and has no names of the libraries that are cut.
bool is_of_the_system(const std::string& word) {
    constexpr std::array<std::string_view, 5> kLibraries{
        "-lc", "-lgcc", "-lgcc_s", "-lm", "-lstdc++"};
    return std::find(kLibraries.begin(), kLibraries.end(), word) != kLibraries.end();
}

/// Whether something is linked whose names are not in sight: a library that is looked for, a
/// source, a file of arguments in another.
bool has_unknown_inputs(const Words& command) {
    for (std::size_t i = 1; i < command.size(); ++i) {
        const auto& word = command[i];
        if (takes_a_value(command[i - 1]) || is_of_the_system(word))
            continue;
        const bool is_known =
            is_object(word) || support::contains(fs::path(word).filename().string(), ".so");
        if (word.starts_with("-l") || (!word.starts_with('-') && !is_known))
            return true;
    }
    return false;
}

/// Nothing where an object cannot be read: that is the linker's to say.
std::optional<elf::NameSet> names_of_objects(const Words& command) {
    elf::NameSet names;
    for (const auto& word : command)
        if (is_object(word) && !elf::add_shared_names(word, names).has_value())
            return std::nullopt;
    return names;
}

/// `word`, or the cut library in `folder` in place of the library that it is.
std::string cut(const std::string& word, const elf::NameSet& names, const fs::path& folder) {
    const auto output = folder / fs::path(word).filename();
    return elf::cut_library(word, names, output).value_or(false) ? output.string() : word;
}

/// The libraries are cut into `folder`. Nothing if there is something that the linker is to
/// complain of. Of two libraries of one file name the second stays whole.
std::optional<Words> with_cut_libraries(Words command, const fs::path& folder) {
    const auto names = has_unknown_inputs(command) ? std::nullopt : names_of_objects(command);
    std::error_code failed;
    if (!names || (fs::create_directory(folder, failed), failed))
        return std::nullopt;
    std::set<fs::path> taken;
    for (std::size_t i = 1; i < command.size(); ++i)
        if (!takes_a_value(command[i - 1]) && is_shared_library(command[i]) &&
            taken.insert(fs::path(command[i]).filename()).second)
            command[i] = cut(command[i], *names, folder);
    return command;
}

/// A short command for the same words.
std::optional<Words> with_response_file(const Words& command, const fs::path& folder) {
    const auto file = folder / "arguments.rsp";
    if (!support::write_file_atomically(file,
                                        step::response_file({command.begin() + 1, command.end()})))
        return std::nullopt;
    return Words{command.front(), "@" + file.string()};
}

std::optional<Words> lighter(const Words& command) {
    const auto words = expanded(command);
    const auto output = words ? output_of(*words) : fs::path();
    if (output.empty())
        return std::nullopt;
    const fs::path folder = output.string() + ".stubs";
    auto cut = with_cut_libraries(*words, folder);
    const bool is_long = std::any_of(command.begin(), command.end(), is_response_file);
    return cut && is_long ? with_response_file(*cut, folder) : cut;
}

[[noreturn]] void run(Words command) {
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (auto& word : command)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execvp(arguments[0], arguments.data());
    const char* const why = ::strerrordesc_np(errno);
    const auto line =
        "kbuild-link: cannot start " + command[0] + ": " + (why == nullptr ? "?" : why) + "\n";
    ::_exit(::write(STDERR_FILENO, line.data(), line.size()) < 0 ? 126 : 127);
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        constexpr std::string_view kUsage = "usage: kbuild-link COMMAND...\n";
        return ::write(STDERR_FILENO, kUsage.data(), kUsage.size()) < 0 ? 2 : 64;
    }
    const Words command(argv + 1, argv + argc);
    run(lighter(command).value_or(command));
}
