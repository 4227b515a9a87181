#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kbuild::check {

/// Why torch refuses an operator schema.
struct SchemaProblem {
    std::size_t offset = 0; ///< in the schema's text
    std::size_t length = 0; ///< of what is wrong there
    std::string message;
    std::string help; ///< empty: nothing to suggest
};

/// What torch's parser says of `schema` when a library is loaded; none if it takes it. Verdicts
/// equal those of torch 2.13's `torch._C.parse_schema` (tests/integration/test_op_schema.py),
/// except that custom classes (`__torch__.torch.classes.…`) count as registered and that a Union
/// may have any members. With `name_is_enough`, as in `def("name", &function)`, a name without
/// arguments is taken too.
std::optional<SchemaProblem> check_op_schema(std::string_view schema, bool name_is_enough = false);

} // namespace kbuild::check
