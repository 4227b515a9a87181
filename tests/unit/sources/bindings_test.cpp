#include "kbuild/sources/cpp_file.hpp"

#include <catch2/catch.hpp>

using namespace kbuild::sources;

TEST_CASE("a library block has its name, its key and its calls") {
    const auto file = scan_cpp(R"cpp(
#include "registration.h"
TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
  ops.def("relu(Tensor! out, Tensor input) -> ()");
#if defined(CPU_KERNEL)
  ops.impl("relu", torch::kCPU, &relu);
#endif
}
TORCH_LIBRARY_IMPL(other, CUDA, m) { m.impl("x", TORCH_FN(x)); }
REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
)cpp");
    REQUIRE(file.libraries.size() == 2);
    const auto& library = file.libraries[0];
    CHECK(library.macro == "TORCH_LIBRARY_EXPAND");
    CHECK(library.name_space == "TORCH_EXTENSION_NAME");
    CHECK_FALSE(library.is_opaque);
    REQUIRE(library.calls.size() == 2);
    CHECK_FALSE(library.calls[0].is_impl);
    CHECK(library.calls[0].name->text == "relu(Tensor! out, Tensor input) -> ()");
    CHECK(library.calls[0].arguments == 1);
    CHECK(library.calls[1].is_impl);
    CHECK(library.calls[1].key == "torch::kCPU");
    CHECK(is_seen(file.branches, library.calls[1].branch, {{"CPU_KERNEL", false}}) == false);
    CHECK(file.libraries[1].is_impl());
    CHECK(file.libraries[1].name_space == "other");
    CHECK(file.libraries[1].key == "CUDA");
    CHECK(file.libraries[1].calls[0].key.empty());
    CHECK(file.has(WordKind::register_extension));
}

TEST_CASE("a schema may be put together from literals of any kind") {
    const auto file = scan_cpp("TORCH_LIBRARY(a, m) {\n"
                               "  m.def(\"f(Tensor a,\"\n        \" str b=\\\"x\\\") -> ()\");\n"
                               "  m.def(R\"x(g(Tensor a) -> Tensor)x\", &g);\n"
                               "  m.def(kSchema);\n"
                               "  m.def(std::string(\"h\") + rest);\n}");
    REQUIRE(file.libraries.size() == 1);
    const auto& calls = file.libraries[0].calls;
    REQUIRE(calls.size() == 4);
    CHECK(calls[0].name->text == "f(Tensor a, str b=\"x\") -> ()");
    CHECK(calls[1].name->text == "g(Tensor a) -> Tensor");
    CHECK(calls[1].arguments == 2);
    CHECK_FALSE(calls[2].name);
    CHECK_FALSE(calls[3].name);
}

TEST_CASE("calls may be chained, and braces and commas in arguments do no harm") {
    const auto file = scan_cpp(
        "TORCH_LIBRARY(a, m) {\n"
        "  m.def(\"f(Tensor a) -> Tensor\")\n"
        "   .impl(\"f\", c10::DispatchKey::CUDA, [](int a, int b) { return g({a, b}); });\n"
        "  { m.def(\"g() -> ()\"); }\n}\nint after;\n__global__\n");
    REQUIRE(file.libraries.size() == 1);
    CHECK_FALSE(file.libraries[0].is_opaque);
    REQUIRE(file.libraries[0].calls.size() == 3);
    CHECK(file.libraries[0].calls[1].key == "c10::DispatchKey::CUDA");
    CHECK(file.has(WordKind::device_code));
}

TEST_CASE("a library that is handed on is opaque") {
    CHECK(scan_cpp("TORCH_LIBRARY(a, m) { add_ops(m); }").libraries[0].is_opaque);
    CHECK(scan_cpp("TORCH_LIBRARY(a, m) { m.class_<X>(\"X\"); }").libraries[0].is_opaque);
}

TEST_CASE("a macro that wraps the registration is not a registration") {
    const auto file = scan_cpp("#define REGISTER_EXTENSION(N) \\\n  PyInit_##N\n"
                               "#define MY_LIBRARY(N, M) \\\n  TORCH_LIBRARY(N, M)\n");
    CHECK(file.libraries.empty());
    CHECK(file.defines_registration);
    CHECK_FALSE(file.has(WordKind::register_extension));
}
