#include "kbuild/build/work_folder.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;

TEST_CASE("the work folder is tagged as a cache and hidden from git") {
    const auto project =
        support::TempDir::create(std::filesystem::temp_directory_path(), "kbuild-work-");
    REQUIRE(project);
    const auto folder = build::work_folder(project->path());
    CHECK_FALSE(build::is_ours(folder.root));
    REQUIRE(build::prepare(folder));
    CHECK(build::is_ours(folder.root));
    CHECK(*support::read_file(folder.root / ".gitignore") == "*\n");
}

TEST_CASE("what a killed run left in the stage is swept") {
    const auto project =
        support::TempDir::create(std::filesystem::temp_directory_path(), "kbuild-work-");
    REQUIRE(project);
    const auto folder = build::work_folder(project->path());
    REQUIRE(support::write_file_atomically(folder.stage / "torch213-x" / "half.so", "half"));
    REQUIRE(build::prepare(folder));
    CHECK_FALSE(support::path_exists(folder.stage / "torch213-x"));
}
