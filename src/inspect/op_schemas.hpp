#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kbuild::inspect {

/// Operator schemas among the strings in read-only data, as they were given to torch:
/// `relu(Tensor! out, Tensor input) -> ()`. By their shape alone (a name, balanced parentheses, an
/// arrow); sorted, each once.
std::vector<std::string> find_op_schemas(std::string_view data);

} // namespace kbuild::inspect
