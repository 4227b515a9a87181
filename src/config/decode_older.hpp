#pragma once

#include "value.hpp"

#include "kbuild/config/build_config.hpp"

#include <string>
#include <string_view>

/// What editions 1 to 3 say in other words than today (upstream.md 2.4).
namespace kbuild::config {

/// Fills in what the file of an older edition has elsewhere, or leaves unsaid; `config` holds what
/// it says in today's words.
void complete_older(const Value& root, int edition, BuildConfig& config);

/// Whether an edition 1 or 2 file says that the kernel is Python code for every backend.
bool is_universal(const Value& root, int edition);

/// What a kernel section of edition 1 is written in; without `language` it is `cuda`.
std::string_view language_of(const Value& section);

/// The section that a `cuda-hipify` kernel's ROCm half gets.
std::string hipified_name(std::string_view kernel);

/// Whether a Python dependency of edition 2 is today one of CUDA only (upstream.md 2.7).
bool is_cuda_dependency(std::string_view name);

} // namespace kbuild::config
