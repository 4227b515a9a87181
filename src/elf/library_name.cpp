#include "kbuild/elf/library_name.hpp"

namespace kbuild::elf {

bool is_library_name(const std::filesystem::path& file) {
    const auto name = file.filename().string();
    return name.ends_with(".so") || name.find(".so.") != std::string::npos;
}

} // namespace kbuild::elf
