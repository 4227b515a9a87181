#include "paint.hpp"

#include <fmt/format.h>

namespace kbuild::ui {
namespace {

std::string_view escape_of(Role role) {
    switch (role) {
    case Role::error:
        return "\x1b[1;31m";
    case Role::warning:
        return "\x1b[1;33m";
    case Role::note:
        return "\x1b[1;36m";
    case Role::help:
        return "\x1b[1;32m";
    case Role::gutter:
        return "\x1b[1;34m";
    case Role::emphasis:
        return "\x1b[1m";
    }
    return "";
}

} // namespace

Role role_of(diag::Severity severity) {
    switch (severity) {
    case diag::Severity::error:
        return Role::error;
    case diag::Severity::warning:
        return Role::warning;
    case diag::Severity::note:
        return Role::note;
    }
    return Role::note;
}

std::string paint(std::string_view text, Role role, bool color) {
    if (!color || text.empty())
        return std::string(text);
    return fmt::format("{}{}\x1b[0m", escape_of(role), text);
}

std::string_view word_of(diag::Severity severity) {
    switch (severity) {
    case diag::Severity::error:
        return "error";
    case diag::Severity::warning:
        return "warning";
    case diag::Severity::note:
        return "note";
    }
    return "note";
}

} // namespace kbuild::ui
