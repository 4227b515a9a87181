#pragma once

#include "schema.hpp"
#include "value.hpp"

#include "kbuild/diag/sink.hpp"

namespace kbuild::config {

/// Reports every key of `root` that the schema does not have, every required one that is missing,
/// and every value that is not what its key takes (K0101–K0107, K0112, K0116).
void validate(const Value& root, const TableRule& schema, int edition, diag::Sink& sink);

} // namespace kbuild::config
