#include "isa/tested.hpp"

#include <algorithm>
#include <iterator>

namespace kbuild::emulator {
namespace {

constexpr std::string_view kNames[] = {
#include "isa/tested_names.inc"
};

} // namespace

bool is_tested(std::string_view name) {
    return std::binary_search(std::begin(kNames), std::end(kNames), name);
}

const std::size_t kUntested = 166;

} // namespace kbuild::emulator
