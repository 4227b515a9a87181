#include "kbuild/layout/variant_dir.hpp"

#include <catch2/catch.hpp>

using kbuild::layout::ops_py;

TEST_CASE("_ops.py imports the library from its own package and names the op namespace") {
    CHECK(ops_py("_gemm_rocm_1a2b3c4") ==
          R"(# Written by kbuild. How the package's Python code reaches the ops of its library.
import torch

from . import _gemm_rocm_1a2b3c4  # importing the library registers its ops

ops = torch.ops._gemm_rocm_1a2b3c4


def add_op_namespace_prefix(op_name: str) -> str:
    """The full name of an op of this build, as `torch.library` wants it."""
    return "_gemm_rocm_1a2b3c4::" + op_name
)");
}
