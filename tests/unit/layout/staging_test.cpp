#include "kbuild/layout/staging.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
namespace fs = std::filesystem;

namespace {

struct StagedProject {
    support::TempDir dir = *support::TempDir::create(fs::temp_directory_path(), "kbuild-stage-");
    fs::path build = dir.path() / "build";
    fs::path stage = layout::stage_root(dir.path(), build);
};

} // namespace

TEST_CASE("staging is inside the project's work folder") {
    const StagedProject project;
    CHECK(project.stage == project.dir.path() / ".kbuild" / "stage");
}

TEST_CASE("a published folder holds exactly what was staged, and others can read it") {
    const StagedProject project;
    const auto target = project.build / "v";
    REQUIRE(support::write_file_atomically(target / "old", "old"));
    {
        auto staged = layout::stage_folder(project.stage, "v");
        REQUIRE(staged);
        REQUIRE(support::write_file_atomically(staged->path() / "new", "new"));
        REQUIRE(layout::publish(std::move(*staged), target));
    }
    CHECK(*support::list_names(target) == std::vector<std::string>{"new"});
    CHECK(fs::status(target).permissions() == static_cast<fs::perms>(0755));
    CHECK(support::list_names(project.stage)->empty());
}

TEST_CASE("a staged folder that is not published goes away and leaves the old variant alone") {
    const StagedProject project;
    REQUIRE(support::write_file_atomically(project.build / "v" / "old", "old"));
    {
        const auto staged = layout::stage_folder(project.stage, "v");
        REQUIRE(staged);
    }
    CHECK(support::list_names(project.stage)->empty());
    CHECK(support::is_file(project.build / "v" / "old"));
}

TEST_CASE("what a killed run left is swept") {
    const StagedProject project;
    REQUIRE(support::write_file_atomically(project.stage / "v.abc" / "half", "half"));
    REQUIRE(layout::sweep_stage(project.stage));
    CHECK_FALSE(support::path_exists(project.stage));
    CHECK(layout::sweep_stage(project.stage));
}
