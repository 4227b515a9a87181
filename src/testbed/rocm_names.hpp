#pragma once

#include "kbuild/elf/elf_file.hpp"

#include <string>

namespace kbuild::testbed {

/// Assembler text for a library that exports, for each function of torch's CUDA library whose name
/// holds a CUDA type, the name that the ROCm library has instead, and jumps to the function.
/// x86-64 only.
std::string hip_name_trampolines(const elf::ElfFile& cuda_library);

/// C source of the functions that return a device's properties: in HIP's layout, as a ROCm torch
/// does. The CUDA library's return CUDA's, which would be read as garbage.
std::string device_properties_source();

} // namespace kbuild::testbed
