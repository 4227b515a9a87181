#include "ninja_output.hpp"

#include "kbuild/build/compiler_output.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;

namespace {

const std::vector<std::string> kFailedRun = {
    "@kbuild 1 4 Building HIP object rocm64/a.hip.o",
    "@kbuild 2 4 Building CXX object host/b.cpp.o",
    "FAILED: host/b.cpp.o ",
    "/usr/bin/c++ -c b.cpp",
    "/p/b.cpp:3:5: error: 'x' was not declared in this scope",
    "    3 |     x;",
    "@kbuild 3 4 Linking CXX shared module host/m.so",
    "ninja: build stopped: subcommand failed.",
};

build::NinjaOutput read(const std::vector<std::string>& lines) {
    build::NinjaOutput output(nullptr);
    for (const auto& line : lines)
        output.take(line);
    return output;
}

} // namespace

TEST_CASE("compiles and links are counted from Ninja's own lines") {
    const auto output = read(kFailedRun);
    CHECK(output.compiles() == 2);
    CHECK(output.links() == 1);
}

TEST_CASE("a failed step keeps its command and what was said") {
    const auto failed = read(kFailedRun).failed();
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].output == "host/b.cpp.o");
    CHECK(failed[0].command == "/usr/bin/c++ -c b.cpp");
    CHECK(failed[0].said ==
          "/p/b.cpp:3:5: error: 'x' was not declared in this scope\n    3 |     x;\n");
}

TEST_CASE("a compiler error becomes a diagnostic with its place and command") {
    diag::Collector findings;
    build::report_failures(read(kFailedRun).failed(), "/p", findings);
    const auto all = findings.sorted();
    REQUIRE(all.size() == 1);
    CHECK(all[0].code == "K0501");
    CHECK(all[0].message == "'x' was not declared in this scope");
    CHECK(all[0].span.begin.line == 3);
    CHECK(all[0].span.begin.column == 5);
    CHECK(all[0].notes == std::vector<std::string>{"in host",
                                                   "command: /usr/bin/c++ -c b.cpp",
                                                   "log: `/p/.kbuild/logs/ninja.log`"});
}

TEST_CASE("the same error from two trees is told once, with both named") {
    const std::string said = "/p/k.hip:1:10: fatal error: 'hip/hip_fp8.h' file not found\n";
    diag::Collector findings;
    build::report_failures(
        {{"rocm57/k.o", "hipcc 57", said}, {"rocm64/k.o", "hipcc 64", said}}, "/p", findings);
    const auto all = findings.sorted();
    REQUIRE(all.size() == 1);
    CHECK(all[0].notes[0] == "in rocm57, rocm64");
    REQUIRE(all[0].help.size() == 1);
    CHECK(all[0].help[0].find("ROCm 6.2") != std::string::npos);
}

TEST_CASE("what the compiler says of a missing instruction or a short lane mask gets a hint") {
    const std::vector<std::pair<std::string, std::string>> known = {
        {"'__builtin_amdgcn_mfma_f32_32x32x1f32' needs target feature mai-insts", "`rocm-archs`"},
        {"static assertion failed: The mask must be a 64-bit integer.", "bounds of loops"}};
    for (const auto& [message, hint] : known) {
        diag::Collector findings;
        build::report_failures(
            {{"rocm72/k.o", "hipcc", "/p/k.hip:7:3: error: " + message + "\n"}}, "/p", findings);
        const auto all = findings.sorted();
        REQUIRE(all.size() == 1);
        REQUIRE(all[0].help.size() == 1);
        CHECK(all[0].help[0].find(hint) != std::string::npos);
    }
}

TEST_CASE("an error that all passes of a unit have is told once, and their tree too") {
    const std::string said = "/p/k.hip:1:10: error: no\n";
    diag::Collector findings;
    build::report_failures(
        {{"rocm64/k.gfx942.co", "c", said}, {"rocm64/k.gfx90a.co", "c", said}}, "/p", findings);
    const auto all = findings.sorted();
    REQUIRE(all.size() == 1);
    CHECK(all[0].notes[0] == "in rocm64");
}

TEST_CASE("what a compiler says besides its errors is told whole, once") {
    const std::string said = "In file included from /p/k.hip:1:\n"
                             "/p/k.h:2:1: error: no\n"
                             "    2 | no\n"
                             "      | ^\n"
                             "/p/k.h:3:1: error: no\n"
                             "2 errors generated when compiling for gfx942.\n";
    diag::Collector findings;
    build::report_failures({{"rocm64/k.o", "hipcc", said}}, "/p", findings);
    const auto all = findings.sorted();
    REQUIRE(all.size() == 2);
    CHECK(all[0].notes[1] == "output:\n" + said.substr(0, said.size() - 1));
    CHECK(all[0].notes[2] == "command: hipcc");
    CHECK(all[1].notes == std::vector<std::string>{"in rocm64"});
}

TEST_CASE(
    "which of the steps with an error shows its command does not depend on which failed first") {
    const std::string said = "/p/k.hip:1:10: error: no\n";
    diag::Collector findings;
    build::report_failures(
        {{"rocm72/k.o", "hipcc 72", said}, {"rocm64/k.o", "hipcc 64", said}}, "/p", findings);
    CHECK(findings.sorted()[0].notes[1] == "command: hipcc 64");
}

TEST_CASE("an error with its source line is not told twice") {
    const std::string said = "/p/k.h:2:1: error: no\n"
                             "    2 | no ^ no\n"
                             "      | ^~~~\n"
                             "/p/k.h:3:1: error: no\n"
                             "no\n"
                             "^\n"
                             "2 errors generated when compiling for gfx942.\n"
                             "failed to execute:clang++ -c k.hip\n";
    diag::Collector findings;
    build::report_failures({{"rocm64/k.o", "hipcc", said}}, "/p", findings);
    REQUIRE(findings.sorted().size() == 2);
    CHECK(findings.sorted()[0].notes[1] == "command: hipcc");
}

TEST_CASE("links that fail with the same words are told once, with the others named") {
    const std::string said = "ld: undefined symbol: relu\n";
    diag::Collector findings;
    build::report_failures({{"host/module_a/m.so", "c++ -o a", said},
                            {"host/module_b/m.so", "c++ -o b", said},
                            {"host/module_c/m.so", "c++ -o c", "ld: no\n"}},
                           "/p",
                           findings);
    const auto all = findings.in_order();
    REQUIRE(all.size() == 2);
    CHECK(all[0]->message == "cannot make `host/module_a/m.so`");
    CHECK(all[0]->notes[0] == "the same for `host/module_b/m.so`");
    CHECK(all[1]->message == "cannot make `host/module_c/m.so`");
}

TEST_CASE("a link that fails is reported whole") {
    diag::Collector findings;
    build::report_failures({{"host/m.so", "c++ -shared", "ld: cannot find -lx\n"}}, "/p", findings);
    const auto all = findings.sorted();
    REQUIRE(all.size() == 1);
    CHECK(all[0].code == "K0502");
    CHECK(all[0].notes == std::vector<std::string>{"command: c++ -shared",
                                                   "ld: cannot find -lx",
                                                   "log: `/p/.kbuild/logs/ninja.log`"});
}

TEST_CASE("compiles that were killed are told from what compilers said") {
    const auto output = read({"kbuild-step: killed once 900 rocm64/a.o",
                              "FAILED: host/b.o ",
                              "c++ -c b.cpp",
                              "kbuild-step: killed again 3000000000 host/b.o",
                              "cc1plus: out of memory"});
    REQUIRE(output.killed().size() == 1);
    CHECK(output.killed()[0].unit == "rocm64/a.o");
    CHECK(output.failed()[0].said == "cc1plus: out of memory\n");
    diag::Collector findings;
    build::report_failures(output.failed(), "/p", findings);
    const auto all = findings.sorted();
    REQUIRE(all.size() == 1);
    CHECK(all[0].code == "K0503");
    CHECK(all[0].message.find("`host/b.o`") != std::string::npos);
    CHECK(all[0].message.find("3.0 GB") != std::string::npos);
    CHECK(all[0].help[1].find("-j 1") != std::string::npos);
}
