#pragma once

#include "kbuild/generate/tree.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace kbuild::generate {

/// The joined device code of a library's source, from the tree's build folder.
std::string bundle_in_tree(const Library& library, std::size_t source);

/// What turns a compile into the host pass that embeds this code.
std::vector<std::string>
host_pass_options(const Tree& tree, const Library& library, std::size_t source);

/// What compiles HIP units by CMake's rule, if not the tree's compiler by itself: a driver, which
/// CMake refuses as a compiler, or a host pass with what tells a compiler cache of the embedded
/// code. Empty: the compiler.
std::vector<std::string> hip_command(const Tree& tree);

/// Ninja's rules and steps for all device passes of a tree, for the folder that holds one build
/// folder per tree. They are no part of the CMake project: CMake knows no such step.
std::string device_pass_steps(const Tree& tree);

} // namespace kbuild::generate
