#include "kbuild/layout/variant_dir.hpp"

#include <fmt/format.h>

namespace kbuild::layout {

std::string ops_py(std::string_view ops_id) {
    return fmt::format(
        R"(# Written by kbuild. How the package's Python code reaches the ops of its library.
import torch

from . import {0}  # importing the library registers its ops

ops = torch.ops.{0}


def add_op_namespace_prefix(op_name: str) -> str:
    """The full name of an op of this build, as `torch.library` wants it."""
    return "{0}::" + op_name
)",
        ops_id);
}

std::string noarch_ops_py(std::string_view ops_id) {
    return fmt::format(
        R"(# Written by kbuild. The namespace for the ops that the package's Python code defines.
import torch

ops = torch.ops.{0}


def add_op_namespace_prefix(op_name: str) -> str:
    """The full name of an op of this build, as `torch.library` wants it."""
    return "{0}::" + op_name
)",
        ops_id);
}

} // namespace kbuild::layout
