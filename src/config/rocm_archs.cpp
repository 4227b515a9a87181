#include "rocm_archs.hpp"

#include <algorithm>
#include <array>

namespace kbuild::config {

namespace {

constexpr std::array<std::string_view, 32> kKnown = {
    "gfx1010", "gfx1011", "gfx1012", "gfx1013", "gfx1030", "gfx1031", "gfx1032", "gfx1033",
    "gfx1034", "gfx1035", "gfx1036", "gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150",
    "gfx1151", "gfx1152", "gfx1153", "gfx1200", "gfx1201", "gfx1250", "gfx900",  "gfx902",
    "gfx904",  "gfx906",  "gfx908",  "gfx909",  "gfx90a",  "gfx90c",  "gfx942",  "gfx950"};

} // namespace

std::vector<std::string> known_archs() {
    return {kKnown.begin(), kKnown.end()};
}

bool is_known_arch(std::string_view processor) {
    return std::binary_search(kKnown.begin(), kKnown.end(), processor);
}

bool is_retired_arch(std::string_view processor) {
    return processor == "gfx940" || processor == "gfx941";
}

bool is_upstream_arch(const model::GfxArch& arch) {
    const auto& list = model::default_rocm_archs();
    return std::find(list.begin(), list.end(), arch) != list.end();
}

} // namespace kbuild::config
