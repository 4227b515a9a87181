#pragma once

#include "kbuild/model/gfx_arch.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kbuild::config {

/// Processors that some LLVM release compiles for (llvm.org, AMDGPUUsage), sorted; retired ones not
/// included.
std::vector<std::string> known_archs();

bool is_known_arch(std::string_view processor);

/// gfx940 and gfx941 were pre-production MI300 parts: LLVM 20 dropped them, and upstream's arch
/// list never had them, though its own templates ask for them.
bool is_retired_arch(std::string_view processor);

/// Whether upstream builds for exactly this name: it intersects with a fixed list of ten
/// (upstream.md 3.3, 3.4).
bool is_upstream_arch(const model::GfxArch& arch);

} // namespace kbuild::config
