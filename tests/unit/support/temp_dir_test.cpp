#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace kbuild::support;

namespace {
const auto kParent = std::filesystem::temp_directory_path();
}

TEST_CASE("a temporary folder is gone with its contents when the value dies") {
    fs::path path;
    {
        const auto folder = TempDir::create(kParent, "kbuild-temp-");
        REQUIRE(folder);
        path = folder->path();
        CHECK(path.filename().string().starts_with("kbuild-temp-"));
        REQUIRE(write_file_atomically(path / "a" / "b", "x"));
    }
    CHECK_FALSE(path_exists(path));
}

TEST_CASE("two temporary folders are different ones") {
    const auto a = TempDir::create(kParent, "kbuild-temp-");
    const auto b = TempDir::create(kParent, "kbuild-temp-");
    CHECK(a.value().path() != b.value().path());
}

TEST_CASE("a temporary folder that is kept stays") {
    fs::path path;
    {
        auto folder = TempDir::create(kParent, "kbuild-temp-");
        path = folder.value().keep();
    }
    CHECK(is_folder(path));
    REQUIRE(remove_tree(path));
}

TEST_CASE("a moved temporary folder is removed once, by its new owner") {
    auto first = TempDir::create(kParent, "kbuild-temp-");
    const fs::path path = first.value().path();
    {
        const TempDir second = std::move(*first);
        CHECK(is_folder(path));
    }
    CHECK_FALSE(path_exists(path));
}
