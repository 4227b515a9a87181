#include "isa/tested.hpp"

#include <algorithm>
#include <iterator>

namespace kbuild::emulator {
namespace {

constexpr std::string_view kTestedNames[] = {
#include "isa/tested_names.inc"
};

} // namespace

bool is_tested(std::string_view name) {
    return std::binary_search(std::begin(kTestedNames), std::end(kTestedNames), name);
}

const std::size_t kUntested = 166;

} // namespace kbuild::emulator
