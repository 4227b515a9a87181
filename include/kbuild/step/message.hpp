#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kbuild::step {

/// What a step tells about a compile that was killed, as a line among the compiler's own.
struct Killed {
    std::string unit;
    std::uint64_t peak = 0; ///< bytes, when it was killed
    bool again = false;     ///< also when it ran alone
    auto operator<=>(const Killed&) const = default;
};

std::string to_line(const Killed& killed);                 ///< without the end of the line
std::optional<Killed> parse_killed(std::string_view line); ///< nothing for any other line

} // namespace kbuild::step
