#include "op_schemas.hpp"

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
