#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"
#include "kbuild/support/tree_swap.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace kbuild::support;

TEST_CASE("publishing a folder replaces the old one as a whole") {
    const auto folder = TempDir::create(std::filesystem::temp_directory_path(), "kbuild-swap-");
    const auto root = folder.value().path();
    REQUIRE(write_file_atomically(root / "target" / "old", ""));
    REQUIRE(write_file_atomically(root / "staged" / "new", ""));
    REQUIRE(publish_folder(root / "staged", root / "target"));
    CHECK(list_names(root / "target").value() == std::vector<std::string>{"new"});
    CHECK(list_names(root).value() == std::vector<std::string>{"target"});
}

TEST_CASE("publishing where nothing was creates the parents") {
    const auto folder = TempDir::create(std::filesystem::temp_directory_path(), "kbuild-swap-");
    const auto root = folder.value().path();
    REQUIRE(write_file_atomically(root / "staged" / "new", ""));
    REQUIRE(publish_folder(root / "staged", root / "a" / "b"));
    CHECK(is_file(root / "a" / "b" / "new"));
}

TEST_CASE("publishing a folder that is not there leaves the target as it was") {
    const auto folder = TempDir::create(std::filesystem::temp_directory_path(), "kbuild-swap-");
    const auto root = folder.value().path();
    REQUIRE(write_file_atomically(root / "target" / "old", ""));
    CHECK_FALSE(publish_folder(root / "absent", root / "target"));
    CHECK(list_names(root / "target").value() == std::vector<std::string>{"old"});
}
