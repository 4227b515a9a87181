#include "variant_folder.hpp"

using namespace kbuild;
using test::Codes;
using test::VariantFolder;

TEST_CASE("a package that imports itself absolutely is K0627, an error") {
    const VariantFolder variant;
    variant.write("__init__.py", "from gemm._ops import ops\nimport torch, math\n");
    const auto findings = variant.write_and_check();
    CHECK(findings.codes() == Codes{"K0627"});
    CHECK(findings.all.has_errors());
    CHECK(findings.text_of("K0627").find("`__init__.py` imports `gemm`") != std::string::npos);
}

TEST_CASE("what neither Python nor torch brings is a warning, unless dependencies are declared") {
    VariantFolder variant;
    variant.write("layers.py", "import numpy\n");
    CHECK(variant.write_and_check().codes() == Codes{"K0627"});
    CHECK_FALSE(variant.write_and_check().all.has_errors());
    variant.write("layers.py", "try:\n    import numpy\nexcept ImportError:\n    numpy = None\n");
    CHECK(variant.write_and_check().codes() == Codes{});
    variant.write("layers.py", "import numpy\n");
    variant.metadata.python_depends = {"numpy"};
    CHECK(variant.write_and_check().codes() == Codes{});
}
