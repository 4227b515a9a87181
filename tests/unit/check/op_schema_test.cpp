#include "kbuild/check/op_schema.hpp"

#include <catch2/catch.hpp>

using kbuild::check::check_op_schema;

// The verdicts are compared with torch's in tests/integration/test_op_schema.py; here is where the
// mistakes are and what is said of them.

TEST_CASE("schemas that authors write are taken") {
    for (const auto* schema :
         {"relu(Tensor! out, Tensor input) -> ()",
          "gemm(Tensor(a!) out, Tensor a, Tensor? bias=None, *, float eps=1e-5, "
          "int[2] size=1, str mode=\"fast\") -> (Tensor, Tensor)",
          "ns::op.out(int[] sizes=[1, 2], bool flag=True) -> Tensor(a!)[]",
          "f() -> ()"}) {
        INFO(schema);
        CHECK_FALSE(check_op_schema(schema));
    }
}

TEST_CASE("a keyword cannot name an argument, and is pointed at") {
    const auto problem = check_op_schema("cast(Tensor x, ScalarType as) -> Tensor");
    REQUIRE(problem);
    CHECK(problem->offset == 26);
    CHECK(problem->length == 2);
    CHECK(problem->message == "`as` is a keyword and cannot be an argument's name");
    CHECK(problem->help == "write `as_`, or another name");
}

TEST_CASE("what C++ calls a type is translated") {
    const auto problem = check_op_schema("f(Float x) -> ()");
    REQUIRE(problem);
    CHECK(problem->help == "did you mean `float`?");
}

TEST_CASE("what is missing is said where it is missing") {
    CHECK(check_op_schema("f(Tensor a)")->help == "write `-> ()` if nothing is returned");
    CHECK(check_op_schema("f(Tensor) -> ()")->message == "an argument's name is missing here");
    CHECK(check_op_schema("f(int a=1, int b) -> ()")->offset == 11);
    CHECK(check_op_schema("f(bool a=true) -> ()")->help == "write `True`");
}

TEST_CASE("a name is enough where a function is given with it") {
    CHECK_FALSE(check_op_schema("relu", true));
    CHECK(check_op_schema("relu", false));
    CHECK(check_op_schema("relu(", true));
    CHECK(check_op_schema("", true));
}

TEST_CASE("nesting has an end") {
    CHECK(check_op_schema("f(" + std::string(100000, '(') + " a) -> ()"));
}
