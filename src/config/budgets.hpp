#pragma once

#include "value.hpp"

#include "kbuild/model/budget.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace kbuild::config {

/// `20 MiB`, `512 KiB`, `1 GiB`, `100 B`; none for anything else.
std::optional<std::uint64_t> parse_size(std::string_view text);

/// What `[budget]` says, then its patterns (`[budget."gemm_*"]`) in the file's order; empty without
/// the table.
std::vector<model::Budget> budgets_of(const Value* table);

} // namespace kbuild::config
