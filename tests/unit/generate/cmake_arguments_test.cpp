// Whatever kbuild writes into a CMake project reaches the compiler byte for byte. A real CMake
// reads it, and what it hands to a compiler is recorded by one that only notes its arguments.
#include "kbuild/generate/tree.hpp"
#include "kbuild/generate/writable.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <set>

using namespace kbuild;
using namespace kbuild::generate;
namespace fs = std::filesystem;

namespace {

using Arguments = std::vector<std::string>;

// One argument a NUL-terminated record, one command a record of its own; the output file has to be
// there for Ninja.
constexpr std::string_view kRecorder = R"(#!/bin/sh
{ printf '%s\0' "$@"; printf 'end of command\0'; } >> "${0%/*}/log"
while [ $# -gt 0 ]; do
    case $1 in
        -o) : > "$2" ;;
        -MF) echo "none:" > "$2" ;;
    esac
    shift
done
)";

/// A folder with the project of one tree, whose compiler only records how it is called.
class Project {
  public:
    explicit Project(Tree tree)
        : temp_(support::TempDir::create(fs::temp_directory_path(), "kbuild cmake").value()) {
        const auto compiler = folder() / "c++";
        REQUIRE(support::write_file_atomically(compiler, kRecorder));
        fs::permissions(compiler, fs::perms::owner_all);
        tree.cxx = compiler.string();
        for (const auto& [name, text] : tree_files(tree))
            REQUIRE(support::write_file_atomically(folder() / "tree" / name, text));
        // The recorder cannot pass CMake's checks of compilers.
        REQUIRE(
            support::write_file_atomically(folder() / "cache.cmake",
                                           "set(CMAKE_CXX_COMPILER_FORCED ON CACHE BOOL \"\")\n"
                                           "set(CMAKE_CXX_COMPILER_ID_RUN 1 CACHE BOOL \"\")\n"
                                           "set(CMAKE_CXX_COMPILER_ID GNU CACHE STRING \"\")\n"));
    }

    fs::path folder() const { return temp_.path(); }

    /// Configures and builds; the arguments of each command, in the order they ran.
    std::vector<Arguments> build() const {
        const auto at = folder().string();
        run(fmt::format("cmake -G Ninja -C '{0}/cache.cmake' -S '{0}/tree' -B '{0}/out'", at));
        fs::remove(folder() / "log");
        run(fmt::format("ninja -j1 -C '{}/out'", at));
        std::vector<Arguments> commands(1);
        for (auto& word : support::split(support::read_file(folder() / "log").value(), '\0')) {
            if (word == "end of command")
                commands.emplace_back();
            else
                commands.back().push_back(std::move(word));
        }
        commands.pop_back();
        return commands;
    }

  private:
    /// A launcher of whoever runs the tests would start the recording compiler on its own account.
    static void run(const std::string& command) {
        INFO(command);
        const auto alone =
            "env -u CMAKE_C_COMPILER_LAUNCHER -u CMAKE_CXX_COMPILER_LAUNCHER " + command;
        REQUIRE(std::system((alone + " > /dev/null").c_str()) == 0);
    }

    support::TempDir temp_;
};

/// Strings that each of CMake's readers, Ninja or the shell would take apart or change.
const Arguments kHard = {
    "a b", "\"quoted\"", "it's",  "$HOME", "${VAR}",    "$ENV{X}",   "$(id)",    "`id`",   "a;b",
    "\\;", ";",          "]]",    "x]]",   "[=[",       "[",         "]",        "a[;b",   "#",
    "a#b", "\\",         "end\\", "\\\\",  "C:\\dir\\", "$<CONFIG>", "$<1:a,b>", "$<",     ">",
    "a>b", "<$",         "$>",    "$$",    "$",         "%",         "@VAR@",    "PUBLIC", "&&",
    "|",   "*",          "?",     "~",     "!",         "\ttab",     " ",        "é中",    "'\"'"};

Arguments random_strings(std::uint32_t seed, std::size_t count) {
    constexpr std::string_view kAlphabet = "ab \t\"'$;[]#\\<>{}(),:@%!&|*?=`~^-+/";
    std::mt19937 random(
        seed); // its sequence is fixed by the standard, those of distributions are not
    Arguments result;
    for (std::size_t i = 0; i < count; ++i) {
        std::string text;
        for (std::size_t length = 1 + random() % 9; text.size() < length;)
            text += kAlphabet[random() % kAlphabet.size()];
        result.push_back(std::move(text));
    }
    return result;
}

Arguments with_prefix(std::string_view prefix, const Arguments& texts) {
    Arguments result;
    for (const auto& text : texts)
        result.push_back(std::string(prefix) + text);
    return result;
}

/// Whether `part` stands in `all`, in one piece.
bool contains_run(const Arguments& all, const Arguments& part) {
    return std::search(all.begin(), all.end(), part.begin(), part.end()) != all.end();
}

void add(Arguments& to, const Arguments& more) {
    to.insert(to.end(), more.begin(), more.end());
}

Tree tree_of(Library library) {
    Tree tree;
    tree.name = "host";
    library.name = "kernel";
    tree.libraries = {std::move(library)};
    return tree;
}

void check_arguments(const Arguments& texts) {
    const auto sources =
        support::TempDir::create(fs::temp_directory_path(), "kbuild-sources").value();
    const auto source = (sources.path() / "a.cpp").string();
    REQUIRE(support::write_file_atomically(source, ""));
    Library library;
    library.definitions = with_prefix("DEFINED=", texts);
    library.includes = with_prefix("/include/", texts);
    library.system_includes = with_prefix("/system/", texts);
    library.options = with_prefix("-DOPTION=", texts);
    library.sources = {{source, with_prefix("-DSOURCE=", texts)}};

    const auto commands = Project(tree_of(library)).build();
    REQUIRE(commands.size() == 1);
    Arguments expected = with_prefix("-DDEFINED=", texts);
    add(expected, with_prefix("-I/include/", texts));
    for (const auto& text : texts)
        add(expected, {"-isystem", "/system/" + text});
    add(expected, with_prefix("-DOPTION=", texts));
    CHECK(contains_run(commands[0], expected));
    CHECK(contains_run(commands[0], with_prefix("-DSOURCE=", texts)));
}

} // namespace

TEST_CASE("definitions, folders and options reach the compiler as they are", "[compilers]") {
    check_arguments(kHard);
}

TEST_CASE("random arguments reach the compiler as they are", "[compilers]") {
    const auto seed = GENERATE(1U, 2U, 3U);
    CAPTURE(seed);
    check_arguments(random_strings(seed, 80));
}

TEST_CASE("options that come twice stay, in their order", "[compilers]") {
    const auto sources =
        support::TempDir::create(fs::temp_directory_path(), "kbuild-sources").value();
    Library library;
    library.options = {"-mllvm", "-x", "-mllvm", "-y"};
    library.sources = {{(sources.path() / "a.cpp").string(), {"-Xclang", "a", "-Xclang", "b"}}};
    REQUIRE(support::write_file_atomically(library.sources[0].path, ""));
    const auto commands = Project(tree_of(library)).build();
    REQUIRE(commands.size() == 1);
    CHECK(contains_run(commands[0], library.options));
    CHECK(contains_run(commands[0], library.sources[0].options));
}

TEST_CASE("every file name that CMake and Ninja can take is taken as it is", "[compilers]") {
    const auto sources =
        support::TempDir::create(fs::temp_directory_path(), "kbuild-sources").value();
    Library library;
    auto names = kHard;
    add(names, random_strings(4, 80));
    for (const auto& name : names) {
        if (!is_path_for_cmake(name) || support::contains(name, "/"))
            continue;
        const auto path = (sources.path() / (name + "x.cpp")).string();
        REQUIRE(support::write_file_atomically(path, ""));
        library.sources.push_back({path, {"-DOF=" + name}});
    }
    REQUIRE(library.sources.size() > 30);
    const auto commands = Project(tree_of(library)).build();
    std::set<Arguments> got;
    for (const auto& command : commands)
        got.insert(command);
    for (const auto& source : library.sources) {
        CAPTURE(source.path);
        CHECK(std::any_of(got.begin(), got.end(), [&](const Arguments& command) {
            return command.back() == source.path && contains_run(command, source.options);
        }));
    }
}

TEST_CASE("a file name with a backslash, a bar, a dollar sign or a line break is none that CMake "
          "can take",
          "[compilers]") {
    CHECK(is_path_for_cmake("/a b/it's (x);[#].cpp"));
    for (const auto* name : {"a\\b", "a|b", "a$b", "a\nb", "a\rb"})
        CHECK_FALSE(is_path_for_cmake(name));
}

TEST_CASE("a single archive is linked whole", "[compilers]") {
    const auto sources =
        support::TempDir::create(fs::temp_directory_path(), "kbuild-sources").value();
    Library library;
    library.sources = {{(sources.path() / "a.cpp").string(), {}}};
    auto tree = tree_of(library);
    Module module;
    module.name = "module";
    module.output_name = "_kernel.abi3";
    module.libraries = {"kernel"};
    module.archives = {(sources.path() / "rocm64/libkernel.a").string()};
    tree.modules = {module};
    const auto project = Project(tree);
    for (const auto& file : {fs::path(library.sources[0].path),
                             fs::path(module.archives[0]),
                             project.folder() / "rocm64/libkernel.a"})
        REQUIRE(support::write_file_atomically(file, ""));
    const auto commands = project.build();
    REQUIRE(commands.size() == 2);
    CHECK(contains_run(commands[1],
                       {"-Wl,--whole-archive", module.archives[0], "-Wl,--no-whole-archive"}));
}

TEST_CASE("archives and libraries reach the linker as they are", "[compilers]") {
    const auto sources =
        support::TempDir::create(fs::temp_directory_path(), "kbuild-sources").value();
    Library library;
    library.sources = {{(sources.path() / "a.cpp").string(), {}}};
    REQUIRE(support::write_file_atomically(library.sources[0].path, ""));
    auto tree = tree_of(library);
    Module module;
    module.name = "module";
    module.output_name = "_kernel.abi3";
    module.libraries = {"kernel"};
    module.link_options = {"-Wl,-z,relro,-z,now", "-Wl,--build-id=sha1"};
    for (const auto& name : kHard) {
        if (!is_path_for_cmake(name))
            continue;
        // The project's folder has the hard name; a tree's folder and its archives have names of
        // kbuild's. One above all: CMake leaves `?` to the shell, which would find other names that
        // match.
        const auto number = std::to_string(module.archives.size());
        const auto folder = sources.path() / number / name;
        module.archives.push_back((folder / "rocm64" / ("lib" + number + ".a")).string());
        module.link_files.push_back((folder / "lib.a").string());
    }
    for (const auto* files : {&module.archives, &module.link_files})
        for (const auto& file : *files)
            REQUIRE(support::write_file_atomically(file, ""));
    tree.modules = {module};

    // Archives are in folders of other trees beside this one's, which makes them.
    const auto project = Project(tree);
    for (std::size_t i = 0; i < module.archives.size(); ++i)
        REQUIRE(support::write_file_atomically(
            project.folder() / "rocm64" / fs::path(module.archives[i]).filename(), ""));
    const auto commands = project.build();
    REQUIRE(commands.size() == 2);
    CHECK(contains_run(commands[1], module.link_options));
    Arguments libraries{"-Wl,--whole-archive"};
    add(libraries, module.archives);
    add(libraries, {"-Wl,--no-whole-archive", "-Wl,--as-needed", "-lstdc++"});
    add(libraries, module.link_files);
    CHECK(contains_run(commands[1], libraries));
}
