#include "step_output.hpp"

#include "kbuild/support/strings.hpp"

#include <cctype>

namespace kbuild::build {
namespace {

/// `1 error generated when compiling for gfx942.`, and hipcc's word that its compiler failed, with
/// the command.
bool is_conclusion(std::string_view line) {
    if (line.starts_with("failed to execute:"))
        return true;
    return !line.empty() && std::isdigit(static_cast<unsigned char>(line.front())) != 0 &&
           (support::contains(line, " error generated") ||
            support::contains(line, " errors generated"));
}

/// The line that points at the place: `      | ^~~~`, without a bar from older compilers.
bool is_pointer(std::string_view line) {
    return support::contains(line, "^") && line.find_first_not_of(" |^~") == std::string_view::npos;
}

} // namespace

bool says_more_than_errors(std::string_view said, bool (*is_error)(std::string_view line)) {
    constexpr int kShown = 2; // the source line, and what points into it
    int below = 0;
    for (const auto& line : support::split(said, '\n')) {
        if (is_error(line))
            below = kShown;
        else if (below > 0)
            below = is_pointer(line) ? 0 : below - 1;
        else if (!support::trim(line).empty() && !is_conclusion(line))
            return true;
    }
    return false;
}

} // namespace kbuild::build
