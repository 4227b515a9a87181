#pragma once

#include "kbuild/diag/sink.hpp"
#include "kbuild/model/budget.hpp"
#include "kbuild/support/result.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace kbuild::config {

/// `20 MiB`, `512 KiB`, `1 GiB`, `100 B`; none for anything else.
std::optional<std::uint64_t> parse_size(std::string_view text);

/// `[budget]` of the kbuild.toml of the project at `root`, then its patterns (`[budget."gemm_*"]`)
/// in the file's order; empty without a file. Mistakes are reported (also those of the rest of the
/// file) and give none.
support::Result<std::optional<std::vector<model::Budget>>>
load_budgets(const std::filesystem::path& root, diag::Sink& sink);

} // namespace kbuild::config
