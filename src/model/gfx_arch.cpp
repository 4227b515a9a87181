#include "kbuild/model/gfx_arch.hpp"

#include "kbuild/support/strings.hpp"

namespace kbuild::model {
namespace {

bool is_processor(std::string_view text) {
    if (!text.starts_with("gfx") || text.size() < 6 || text.size() > 8)
        return false;
    return text.substr(3).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_feature(std::string_view text) {
    return text == "sramecc+" || text == "sramecc-" || text == "xnack+" || text == "xnack-";
}

} // namespace

std::optional<GfxArch> GfxArch::parse(std::string_view text) {
    const auto parts = support::split(text, ':');
    if (!is_processor(parts[0]))
        return std::nullopt;
    GfxArch arch;
    arch.processor_ = parts[0];
    for (std::size_t i = 1; i < parts.size(); ++i) {
        if (!is_feature(parts[i]))
            return std::nullopt;
        arch.features_ += ":" + parts[i];
    }
    return arch;
}

const std::vector<GfxArch>& default_rocm_archs() {
    static const std::vector<GfxArch> archs = [] {
        std::vector<GfxArch> list;
        for (const auto* name : {"gfx1030",
                                 "gfx1100",
                                 "gfx1101",
                                 "gfx1200",
                                 "gfx1201",
                                 "gfx906",
                                 "gfx908",
                                 "gfx90a",
                                 "gfx942",
                                 "gfx950"})
            list.push_back(*GfxArch::parse(name));
        return list;
    }();
    return archs;
}

std::string to_string(const std::vector<GfxArch>& archs) {
    std::vector<std::string> names;
    for (const auto& arch : archs)
        names.push_back(arch.to_string());
    return support::join(names, ", ");
}

} // namespace kbuild::model
