#include "runtime/source_lines.hpp"

namespace kbuild::emulator {

std::string source_line(const Module&, std::uint64_t) {
    return {};
}

} // namespace kbuild::emulator
