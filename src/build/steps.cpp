#include "kbuild/build/steps.hpp"

#include "kbuild/step/record.hpp"
#include "kbuild/support/file.hpp"

#include <fmt/format.h>

namespace kbuild::build {

namespace fs = std::filesystem;

std::optional<fs::path> find_step_program() {
    std::error_code failed;
    const auto folder = fs::read_symlink("/proc/self/exe", failed).parent_path();
    for (const char* const place :
         {"../" KBUILD_LIBEXECDIR "/kbuild/kbuild-step", "../libexec/kbuild/kbuild-step"})
        if (support::is_file(folder / place))
            return fs::weakly_canonical(folder / place, failed);
    return std::nullopt;
}

support::Result<void> prepare_steps(const WorkFolder& folder, std::uint64_t budget) {
    const auto program = find_step_program();
    if (!program)
        return {};
    const auto memory = folder.work / kMemoryFolder;
    KB_TRY(support::make_folder(memory));
    KB_TRY(support::write_file_if_changed(memory / step::kBudget, fmt::format("{}\n", budget)));
    const auto link = folder.work / kStepProgram;
    std::error_code failed;
    if (fs::read_symlink(link, failed) == *program)
        return {};
    KB_TRY(support::remove_tree(link));
    fs::create_symlink(*program, link, failed);
    if (failed)
        return support::fail(
            support::ErrorKind::failed,
            fmt::format("cannot link `{}`: {}", support::display_path(link), failed.message()));
    return {};
}

} // namespace kbuild::build
