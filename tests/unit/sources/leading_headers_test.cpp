#include "kbuild/sources/leading_headers.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

using namespace kbuild::sources;
using kbuild::support::TempDir;
using Names = std::vector<std::string>;
using EarlyMacros = std::vector<EarlyMacro>;

namespace {

struct Tree {
    TempDir folder = *TempDir::create(std::filesystem::temp_directory_path(), "kbuild-leading-");
    void add(const std::string& path, const std::string& text) {
        REQUIRE(kbuild::support::write_file_atomically(folder.path() / path, text));
    }
    LeadingHeaders walk(const std::string& path, const Names& folders = {}) const {
        SourceTree tree(folder.path());
        return leading_headers(tree, path, folders);
    }
};

} // namespace

TEST_CASE("headers from elsewhere lead up to the first code") {
    Tree tree;
    tree.add(
        "a.cpp",
        "// torch first\n#include <torch/all.h>\n/* and */ #  include \"torch/library.h\" // x\n"
        "\nint a;\n#include <vector>\n");
    const auto found = tree.walk("a.cpp");
    CHECK(found.headers == Names{"torch/all.h", "torch/library.h"});
    CHECK(found.macros.empty());
    CHECK(found.end == "a.cpp:5: code");
}

TEST_CASE("a file of nothing but includes leads to its end") {
    Tree tree;
    tree.add("a.cpp", "#include <hip/hip_runtime.h>");
    CHECK(tree.walk("a.cpp").headers == Names{"hip/hip_runtime.h"});
    CHECK(tree.walk("a.cpp").end.empty());
}

TEST_CASE("the project's own headers are walked in the compiler's order") {
    Tree tree;
    tree.add("src/a.cpp", "#include \"a.h\"\n#include <vector>\n");
    tree.add("src/a.h", "#pragma once\n#include <torch/all.h>\n#include \"b.h\"\n");
    tree.add("include/b.h", "#pragma once\n#include \"../src/a.h\"\n#include <map>\n");
    CHECK(tree.walk("src/a.cpp", {"include"}).headers == Names{"torch/all.h", "map", "vector"});
    tree.add("include/b.h", "#pragma once\nvoid b();\n");
    CHECK(tree.walk("src/a.cpp", {"include"}).headers == Names{"torch/all.h"});
    CHECK(tree.walk("src/a.cpp", {"include"}).end == "include/b.h:2: code");
}

TEST_CASE("only quotes look beside the including file") {
    Tree tree;
    tree.add("src/a.cpp", "#include <a.h>\n#include \"a.h\"\n");
    tree.add("src/a.h", "#include <map>\n");
    CHECK(tree.walk("src/a.cpp").headers == Names{"a.h", "map"});
}

TEST_CASE("include guards are passed and told as macros") {
    Tree tree;
    tree.add("a.cpp", "#include \"a.h\"\n#include \"a.h\"\n#include <set>\n#define LATE\nint x;");
    tree.add("a.h", "#ifndef A_H\n#define A_H\n#include <map>\n#endif\n");
    const auto found = tree.walk("a.cpp");
    CHECK(found.headers == Names{"map", "set"});
    CHECK(found.macros == EarlyMacros{{"A_H", 0}});
    CHECK(found.end == "a.cpp:5: code");
}

TEST_CASE("a condition that is no include guard ends the walk") {
    Tree tree;
    tree.add("a.cpp", "#include <map>\n#ifndef X\n#include <set>\n#endif\n");
    CHECK(tree.walk("a.cpp").headers == Names{"map"});
    CHECK(tree.walk("a.cpp").end == "a.cpp:2: #ifndef X");
    tree.add("b.cpp", "#ifndef X\n#include <set>\n#endif\n");
    CHECK(tree.walk("b.cpp").headers.empty());
    tree.add("c.cpp", "#ifdef X\n#endif\n#include <set>\n");
    CHECK(tree.walk("c.cpp").end == "c.cpp:1: #ifdef X");
}

TEST_CASE("macros before a header are told, continued lines are one directive") {
    Tree tree;
    tree.add("a.cpp", "#define ONE(x) \\\n  x\n#include <map>\n#undef ONE\n#include <set>\n");
    const auto found = tree.walk("a.cpp");
    CHECK(found.headers == Names{"map"});
    CHECK(found.macros == EarlyMacros{{"ONE", 0}});
    CHECK(found.end == "a.cpp:4: #undef ONE");
}

TEST_CASE("kbuild's registration.h is walked, a project's own instead of it") {
    Tree tree;
    tree.add("a.cpp",
             "#include <torch/library.h>\n#include \"registration.h\"\n#include <torch/all.h>\n");
    const auto found = tree.walk("a.cpp");
    CHECK(found.headers == Names{"torch/library.h", "Python.h", "torch/all.h"});
    CHECK(found.macros.front() == EarlyMacro{"TORCH_LIBRARY_EXPAND", 2});
    CHECK(found.macros.back() == EarlyMacro{"REGISTER_EXTENSION", 2});
    tree.add("registration.h", "int own;\n");
    CHECK(tree.walk("a.cpp").end == "registration.h:1: code");
}

TEST_CASE("computed includes, other pragmas and missing files end the walk") {
    Tree tree;
    tree.add("a.cpp", "#include HEADER\n");
    CHECK(tree.walk("a.cpp").end == "a.cpp:1: #include HEADER");
    tree.add("b.cpp", "#pragma clang diagnostic push\n#include <map>\n");
    CHECK(tree.walk("b.cpp").headers.empty());
    CHECK(tree.walk("none.cpp").end == "none.cpp:1: a file that is not there");
}

TEST_CASE("a line comment that goes on hides the include in its next line") {
    Tree tree;
    tree.add("a.cpp", "#include <map>\n// on \\\n#include <set>\n#include <list>\n");
    CHECK(tree.walk("a.cpp").headers == Names{"map", "list"});
    tree.add("b.cpp", "#include <map> // on \\  \r\n#include <set>\r\n#include <list>\r\n");
    CHECK(tree.walk("b.cpp").headers == Names{"map", "list"});
}

TEST_CASE("lines are continued before carriage returns and blanks, too") {
    Tree tree;
    tree.add("a.cpp", "#define X \\\r\n#include <set>\r\n#include <map>\r\n");
    CHECK(tree.walk("a.cpp").headers == Names{"map"});
}

TEST_CASE("a text of a macro opens no comment") {
    Tree tree;
    tree.add("a.cpp", "#define A \"/*\"\n#define B 1\n#define C \"*/ // \"\n#include <map>\n");
    CHECK(tree.walk("a.cpp").macros == EarlyMacros{{"A", 0}, {"B", 0}, {"C", 0}});
    CHECK(tree.walk("a.cpp").headers == Names{"map"});
}

TEST_CASE("quotes that need a lexer of C++ end the walk") {
    Tree tree;
    for (const std::string text : {"'\"'", "R\"(\")\"", "1'000", "\"\\\"\"", "\"", "\?\?/"}) {
        CAPTURE(text);
        tree.add("a.cpp", "#define A " + text + "\n#include <map>\n");
        CHECK(tree.walk("a.cpp").headers.empty());
    }
}

TEST_CASE("a header without a guard that includes itself ends the walk") {
    Tree tree;
    tree.add("a.cpp", "#include <map>\n#include \"a.h\"\n#include <set>\n");
    tree.add("a.h", "#include \"a.h\"\n");
    CHECK(tree.walk("a.cpp").headers == Names{"map"});
    CHECK(tree.walk("a.cpp").end == "a.h:1: includes that go too deep");
}

TEST_CASE("a guard that another file defined may leave out less than the file") {
    Tree tree;
    tree.add("a.cpp", "#define A_H\n#include \"a.h\"\n#include <map>\n");
    tree.add("a.h", "#ifndef A_H\n#define A_H\n#include <list>\n#endif\n#include <set>\n");
    CHECK(tree.walk("a.cpp").headers.empty());
    CHECK(tree.walk("a.cpp").end == "a.h:1: #ifndef A_H");
    tree.add("b.cpp", "#include \"a.h\"\n#include \"b.h\"\n#include <map>\n");
    tree.add("b.h", "#ifndef A_H\n#define A_H\n#endif\n#include <list>\n");
    CHECK(tree.walk("b.cpp").headers == Names{"list", "set"});
    CHECK(tree.walk("b.cpp").end == "b.h:1: #ifndef A_H");
}

TEST_CASE("a file that is read once is passed wherever it says so") {
    Tree tree;
    tree.add("a.cpp", "#include \"a.h\"\n#include \"a.h\"\n");
    tree.add("a.h", "#include <map>\n#pragma once\n");
    CHECK(tree.walk("a.cpp").headers == Names{"map"});
}

TEST_CASE("names that depend on the including file's folder end the walk") {
    Tree tree;
    for (const std::string name : {"../../x.h", "/usr/include/x.h", "./x.h", "a/../x.h"}) {
        CAPTURE(name);
        tree.add("a.cpp", "#include \"" + name + "\"\n#include <map>\n");
        CHECK(tree.walk("a.cpp").headers.empty());
    }
}
