#include "variant_folder.hpp"

using namespace kbuild;
using test::Codes;
using test::VariantFolder;

namespace {

/// A variant whose library registers what its strings say.
VariantFolder registering(const std::string& strings) {
    VariantFolder variant(test::kCpuName);
    variant.library.symbols.push_back({"_ZN5torch7LibraryC1ENS0_4KindE", false});
    variant.library.sections.push_back({".rodata", SHT_PROGBITS, strings});
    return variant;
}

const std::string kStrings("gemm(Tensor a) -> Tensor\0fast_tanh\0", 35);

} // namespace

TEST_CASE("operators that the Python code uses and the library registers are in order") {
    auto variant = registering(kStrings);
    variant.write("__init__.py", "from ._ops import ops\nops.gemm\nops.tanh\nops.fast_tanh\n");
    const auto findings = variant.write_and_check();
    CHECK(findings.codes() == Codes{});
    CHECK(findings.facts.ops.name_space == "_gemm_cpu_abc");
    CHECK(findings.facts.ops.schemas == std::vector<std::string>{"gemm(Tensor a) -> Tensor"});
    CHECK(findings.facts.ops.used == std::vector<std::string>{"fast_tanh", "gemm", "tanh"});
}

TEST_CASE("an operator that the library does not name is K0632 with the file that uses it") {
    auto variant = registering(kStrings);
    variant.write("layers.py", "from ._ops import ops\ndef f(x):\n    return ops.gemn(x)\n");
    const auto findings = variant.write_and_check();
    CHECK(findings.codes() == Codes{"K0632"});
    CHECK(findings.all.has_errors());
    const auto text = findings.text_of("K0632");
    CHECK(text.find("`layers.py` uses `ops.gemn`") != std::string::npos);
    CHECK(text.find("it has gemm(Tensor a) -> Tensor") != std::string::npos);
}

TEST_CASE("an operator that Python registers itself is not the library's to have") {
    auto variant = registering(kStrings);
    variant.write("layers.py",
                  "from ._ops import ops, add_op_namespace_prefix\n"
                  "@custom_op(add_op_namespace_prefix(\"twice\"), mutates_args=())\n"
                  "def twice(x): ...\nops.twice(1)\n");
    CHECK(variant.write_and_check().codes() == Codes{});
}

TEST_CASE("a library that registers nothing declares nothing") {
    VariantFolder variant(test::kCpuName);
    variant.write("__init__.py", "from ._ops import ops\nops.gemm\n");
    const auto findings = variant.write_and_check();
    CHECK(findings.codes() == Codes{});
    CHECK(findings.facts.ops.name_space.empty());
}
