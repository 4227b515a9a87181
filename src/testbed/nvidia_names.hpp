#pragma once

#include "kbuild/elf/elf_file.hpp"
#include "kbuild/testbed/device_libraries.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::testbed {

/// Whether a library of this SONAME is NVIDIA's: `libcublas.so.13`, `libnccl.so.2`.
bool is_nvidia_library(const std::string& soname);

/// `cuInit`, `cuFileOpen`: the driver's names and cuFile's.
bool is_driver_style(std::string_view name);

/// The libraries of NVIDIA that `users` need, with the names that they ask for and that `have`, the
/// exports of kbuild's own part of the CUDA runtime, does not hold. Sorted.
std::vector<NvidiaLibrary> nvidia_libraries(const std::vector<elf::ElfFile>& users,
                                            const std::set<std::string>& have);

} // namespace kbuild::testbed
