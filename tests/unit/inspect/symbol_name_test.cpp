#include "kbuild/inspect/symbol_name.hpp"

#include <catch2/catch.hpp>

using kbuild::inspect::readable_symbol;

TEST_CASE("C++ symbols are demangled, others stay") {
    CHECK(readable_symbol("_ZN3c105ErrorC1Ev") == "c10::Error::Error()");
    CHECK(readable_symbol("gemm_fp8") == "gemm_fp8");
    CHECK(readable_symbol("f") == "f"); // a name, not the mangled type `float`
    CHECK(readable_symbol("_Znonsense") == "_Znonsense");
}

TEST_CASE("a symbol cannot send escape sequences to the terminal, nor fill it") {
    CHECK(readable_symbol("a\x1b[31mb\n") == "a?[31mb?");
    CHECK(readable_symbol(std::string(500, 'x'), 10) == "xxxxxxxxxx…");
    CHECK(readable_symbol("ééé", 3) == "é…");
}
