#include "stand_ins.hpp"

#include "kbuild/support/file.hpp"

#include <fmt/format.h>

namespace kbuild::cli {

namespace fs = std::filesystem;

namespace {

bool holds_stand_ins(const fs::path& folder) {
    return support::is_file(folder / "hip6" / "libamdhip64.so.6");
}

} // namespace

support::Result<fs::path> find_stand_ins() {
    std::error_code failed;
    const auto program = fs::read_symlink("/proc/self/exe", failed).parent_path();
    for (const char* const folder :
         {"../" KBUILD_LIBDIR "/kbuild/emulate", "../lib/kbuild/emulate"})
        if (holds_stand_ins(program / folder))
            return fs::weakly_canonical(program / folder, failed);
    return support::fail(
        support::ErrorKind::internal,
        fmt::format("the emulator's libraries are not beside `{}`", program.string()),
        "install kbuild as a whole (`cmake --install`)");
}

} // namespace kbuild::cli
