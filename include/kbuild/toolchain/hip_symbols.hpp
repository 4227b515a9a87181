#pragma once

#include "kbuild/elf/elf_file.hpp"

#include <string>
#include <vector>

namespace kbuild::toolchain {

/// The name that a ROCm build of torch gives to a function whose mangled CUDA name this is: CUDA's
/// types are replaced by those of HIP that hipify puts in their place. An inference: no ROCm wheel
/// was at hand (see docs/decisions).
std::string to_hip_symbol(std::string name);

/// The exported names of a CUDA library of torch as its ROCm counterpart should have them, sorted,
/// each once.
std::vector<elf::Symbol> to_hip_symbols(std::vector<elf::Symbol> symbols);

} // namespace kbuild::toolchain
