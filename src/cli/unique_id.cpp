#include "unique_id.hpp"

#include "kbuild/model/kernel_name.hpp"

#include <fmt/format.h>

namespace kbuild::cli {

support::Result<void> check_unique_id(const std::string& id) {
    if (model::is_unique_id(id))
        return {};
    return support::fail(support::ErrorKind::usage,
                         fmt::format("`--unique-id {}` cannot end the name of a Python module", id),
                         "use letters, digits and underscores");
}

} // namespace kbuild::cli
