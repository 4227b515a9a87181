#include "kbuild/inspect/registered_ops.hpp"

#include <catch2/catch.hpp>

using kbuild::inspect::find_op_schemas;
using Schemas = std::vector<std::string>;

namespace {

/// Strings as they stand in read-only data.
std::string data(const Schemas& strings) {
    std::string bytes;
    for (const auto& text : strings)
        bytes += text + '\0';
    return bytes;
}

} // namespace

TEST_CASE("schemas are found among other strings, sorted and each once") {
    CHECK(find_op_schemas(data({"relu(Tensor! out, Tensor input) -> ()",
                                "cannot open",
                                "add.out(Tensor a, *, Tensor(a!) out) -> Tensor(a!)",
                                "relu(Tensor! out, Tensor input) -> ()"})) ==
          Schemas{"add.out(Tensor a, *, Tensor(a!) out) -> Tensor(a!)",
                  "relu(Tensor! out, Tensor input) -> ()"});
    CHECK(find_op_schemas(data({"ns::pair(float[2] x=[1, 2]) -> (Tensor, Tensor)"})).size() == 1);
}

TEST_CASE("what only looks like a schema is none") {
    CHECK(find_op_schemas(data({"",
                                "()",
                                "(x) -> y",
                                "relu",
                                "relu(",
                                "relu(Tensor",
                                "relu(Tensor x)",
                                "relu(Tensor x) ->",
                                "relu(Tensor x) -> ",
                                "relu (Tensor x) -> Tensor",
                                "relu((Tensor x) -> Tensor",
                                "a message (of two parts) -> end",
                                "relu(Tensor\tx) -> Tensor",
                                "relu(Tensor \xff) -> Tensor"}))
              .empty());
    CHECK(find_op_schemas(data({"f(" + std::string(5000, 'x') + ") -> Tensor"})).empty());
}

TEST_CASE("data that ends within a string is read to its end") {
    CHECK(find_op_schemas("f() -> int") == Schemas{"f() -> int"});
    CHECK(find_op_schemas("").empty());
}

TEST_CASE("an operator that no string of a library names is not registered by it") {
    kbuild::inspect::RegisteredOps ops;
    ops.strings =
        data({"relu(Tensor x) -> Tensor", "add.out(Tensor a) -> ()", "fast_tanh", "gemm2"});
    for (const auto* const name : {"relu", "add", "fast_tanh", "tanh"})
        CHECK(ops.may_register(name));
    for (const auto* const name : {"relo", "out2", "gemm", "fast"})
        CHECK_FALSE(ops.may_register(name));
    CHECK_FALSE(kbuild::inspect::RegisteredOps().may_register("relu"));
}
