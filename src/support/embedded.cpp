#include "kbuild/support/embedded.hpp"

namespace kbuild::support::embedded {

std::string_view find(std::span<const File> files, std::string_view name) {
    for (const auto& file : files)
        if (file.name == name)
            return file.text;
    return {};
}

} // namespace kbuild::support::embedded
