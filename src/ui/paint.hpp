#pragma once

#include "kbuild/diag/diagnostic.hpp"
#include "kbuild/ui/render.hpp"

#include <string>
#include <string_view>

namespace kbuild::ui {

/// What a piece of text means; colour follows from it and never carries a meaning of its own.
enum class Role { error, warning, note, help, gutter, emphasis };

Role role_of(diag::Severity severity);

/// `text` in the colour of its role; as it is without `color`.
std::string paint(std::string_view text, Role role, bool color);

} // namespace kbuild::ui
