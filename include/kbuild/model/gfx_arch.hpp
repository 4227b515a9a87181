#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::model {

/// An AMD GPU architecture: processor and target features, `gfx90a:sramecc+:xnack-`.
class GfxArch {
  public:
    /// None if `text` is not `gfx` + digits/hex + optional `:sramecc+|-`, `:xnack+|-`.
    static std::optional<GfxArch> parse(std::string_view text);

    const std::string& processor() const { return processor_; } ///< `gfx942`
    const std::string& features() const { return features_; }   ///< `:xnack-` or empty
    std::string to_string() const { return processor_ + features_; }

    /// Plain string order, as metadata.json lists archs (upstream.md 3.7).
    auto operator<=>(const GfxArch&) const = default;

  private:
    std::string processor_;
    std::string features_;
};

/// Upstream's list for a kernel without `rocm-archs` (upstream.md 3.3), string-sorted.
const std::vector<GfxArch>& default_rocm_archs();

std::string to_string(const std::vector<GfxArch>& archs); ///< `gfx90a, gfx942`

} // namespace kbuild::model
