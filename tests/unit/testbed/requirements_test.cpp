#include "kbuild/testbed/python_environment.hpp"

#include <catch2/catch.hpp>

using kbuild::testbed::plain_requirements;

TEST_CASE("what torch needs is installed, but nothing of NVIDIA and no triton", "[testbed]") {
    const std::string metadata =
        "Metadata-Version: 2.1\n"
        "Name: torch\n"
        "Requires-Dist: filelock\n"
        "Requires-Dist: sympy>=1.13.3\n"
        "Requires-Dist: setuptools; python_version >= \"3.12\"\n"
        "Requires-Dist: nvidia-cublas==13.0.0; platform_system == \"Linux\"\n"
        "Requires-Dist: cuda-bindings==13.0; platform_system == \"Linux\"\n"
        "Requires-Dist: triton==3.7.0; platform_system == \"Linux\"\n"
        "Requires-Dist: opt-einsum>=3.3; extra == \"opt-einsum\"\n"
        "\n"
        "Requires-Dist is what the text is about.\n";
    CHECK(plain_requirements(metadata) ==
          std::vector<std::string>{
              "filelock", "sympy>=1.13.3", "setuptools; python_version >= \"3.12\""});
}
