#include "kbuild/build/steps.hpp"

#include "kbuild/step/record.hpp"
#include "kbuild/support/file.hpp"

#include <fmt/format.h>

namespace kbuild::build {

namespace fs = std::filesystem;

namespace {

/// So that commands can name a program of ours where Ninja runs; nothing for one that is not there.
support::Result<void> link_program(const fs::path& work, std::string_view name) {
    const auto program = find_step_program(name);
    const auto link = work / name;
    std::error_code failed;
    if (!program || fs::read_symlink(link, failed) == *program)
        return {};
    KB_TRY(support::remove_tree(link));
    fs::create_symlink(*program, link, failed);
    if (failed)
        return support::fail(
            support::ErrorKind::failed,
            fmt::format("cannot link `{}`: {}", support::display_path(link), failed.message()));
    return {};
}

} // namespace

std::optional<fs::path> find_step_program(std::string_view name) {
    std::error_code failed;
    const auto folder = fs::read_symlink("/proc/self/exe", failed).parent_path();
    for (const char* const place : {"../" KBUILD_LIBEXECDIR "/kbuild", "../libexec/kbuild"})
        if (support::is_file(folder / place / name))
            return fs::weakly_canonical(folder / place / name, failed);
    return std::nullopt;
}

support::Result<void> prepare_steps(const WorkFolder& folder, std::uint64_t budget) {
    const auto memory = folder.work / kMemoryFolder;
    KB_TRY(support::make_folder(memory));
    KB_TRY(support::write_file_if_changed(memory / step::kBudget, fmt::format("{}\n", budget)));
    for (const auto name : {kStepProgram, kBundleProgram, kLinkProgram})
        KB_TRY(link_program(folder.work, name));
    return {};
}

} // namespace kbuild::build
