#include "kbuild/build/work_folder.hpp"

#include "kbuild/layout/staging.hpp"
#include "kbuild/support/file.hpp"

namespace kbuild::build {
namespace {

namespace fs = std::filesystem;

// The signature is fixed by the Cache Directory Tagging Specification (bford.info/cachedir).
constexpr std::string_view kTag = "Signature: 8a477f597d28d172789f06886806bc55\n"
                                  "# Work folder of kbuild. Everything in it can be made again.\n";

} // namespace

WorkFolder work_folder(const fs::path& project) {
    const auto root = project / ".kbuild";
    return {root,
            root / "trees",
            root / "include",
            root / "work",
            layout::stage_root(project, project / "build"),
            root / "logs"};
}

support::Result<void> mark_as_ours(const WorkFolder& folder) {
    KB_TRY(support::write_file_if_changed(folder.root / "CACHEDIR.TAG", kTag));
    KB_TRY(support::write_file_if_changed(folder.root / ".gitignore", "*\n"));
    return {};
}

support::Result<void> prepare(const WorkFolder& folder) {
    for (const auto& path : {folder.trees, folder.headers, folder.work, folder.logs})
        KB_TRY(support::make_folder(path));
    KB_TRY(layout::sweep_stage(folder.stage));
    return mark_as_ours(folder);
}

bool is_ours(const fs::path& root) {
    const auto tag = support::read_file(root / "CACHEDIR.TAG", 4096);
    return tag && *tag == kTag;
}

} // namespace kbuild::build
