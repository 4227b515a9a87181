#include "kbuild/sources/cpp_file.hpp"

#include <catch2/catch.hpp>

using namespace kbuild::sources;

namespace {

std::vector<std::string> includes_of(const std::string& text) {
    std::vector<std::string> names;
    for (const auto& include : scan_cpp(text).includes)
        names.push_back(include.name);
    return names;
}

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("includes are found as they can be written") {
    CHECK(includes_of("#include \"a.h\"\n  #  include <b/c.h> // why\n") == Names{"a.h", "b/c.h"});
    CHECK(includes_of("#include \"a.h\"") == Names{"a.h"});
    CHECK(includes_of("#include <a.h>\r\n#include \"b.h\"\r\n") == Names{"a.h", "b.h"});
    CHECK(includes_of("/* one */ #include \"a.h\"\n") == Names{"a.h"});
    CHECK(includes_of("#define X 1\n#include \"a.h\"\n") == Names{"a.h"});
}

TEST_CASE("what looks like an include but is none is not found") {
    CHECK(includes_of("// #include \"a.h\"\n").empty());
    CHECK(includes_of("// goes on \\\n#include \"a.h\"\n").empty());
    CHECK(includes_of("/*\n#include \"a.h\"\n*/\n").empty());
    CHECK(includes_of("auto s = R\"x(\n#include \"a.h\"\n)x\";\n").empty());
    CHECK(includes_of("#include MACRO\n#include \"\n#include <>\n").empty());
    CHECK(includes_of("x #include \"a.h\"\n").empty());
}

TEST_CASE("nothing that is no code hides what comes after it") {
    CHECK(includes_of("#error don't\n#include \"a.h\"\n") == Names{"a.h"});
    CHECK(includes_of("#if 0\nit's broken \"\n#endif\n#include \"a.h\"\n") == Names{"a.h"});
    CHECK(includes_of("int n = 1'000'000;\n#include \"a.h\"\n") == Names{"a.h"});
    CHECK(includes_of("char c = '\"';\n#include \"a.h\"\n") == Names{"a.h"});
    CHECK(includes_of("#define A(x) \\\n  x \\\n  'y\n#include \"a.h\"\n") == Names{"a.h"});
    CHECK(includes_of("#endif\n#else\n#include \"a.h\"\n") == Names{"a.h"});
}

TEST_CASE("device code is told from mention of it") {
    CHECK(scan_cpp("__global__ void k();").has(WordKind::device_code));
    CHECK(scan_cpp("k<<<1, 2>>>(x);").has(WordKind::device_code));
    CHECK_FALSE(scan_cpp("// __global__\nauto s = \"k<<<1>>>\"; /* __shared__ */")
                    .has(WordKind::device_code));
    CHECK_FALSE(scan_cpp("<<<<<<< HEAD\nx <<= 2; y << 3;").has(WordKind::device_code));
}

TEST_CASE("a word knows the condition under which it stands") {
    const auto file = scan_cpp("#ifdef A\n#if defined(B) // b\n__global__\n#else\n__shared__\n"
                               "#endif\n#endif\n__global__\n");
    REQUIRE(file.words.size() == 3);
    CHECK(is_seen(file.branches, file.words[0].branch, {{"A", true}, {"B", true}}) == true);
    CHECK(is_seen(file.branches, file.words[1].branch, {{"A", true}, {"B", true}}) == false);
    CHECK(is_seen(file.branches, file.words[1].branch, {{"A", true}, {"B", false}}) == true);
    CHECK(is_seen(file.branches, file.words[2].branch, {}) == true);
}

TEST_CASE("the pass ends and finds nothing in what is no C++") {
    for (const auto* text : {"",
                             "\\",
                             "\"",
                             "'",
                             "R\"",
                             "R\"(",
                             "/*",
                             "#",
                             "#include",
                             "#define",
                             "#if",
                             "TORCH_LIBRARY(",
                             "TORCH_LIBRARY(a, b) {",
                             "<<<",
                             "\r\n\\"}) {
        INFO(text);
        CHECK(scan_cpp(text).includes.empty());
    }
}
