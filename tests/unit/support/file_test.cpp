#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace kbuild::support;

namespace {

TempDir file_dir() {
    auto folder = TempDir::create(std::filesystem::temp_directory_path(), "kbuild-file-");
    REQUIRE(folder);
    return std::move(*folder);
}

} // namespace

TEST_CASE("a file is read as the bytes it has") {
    const auto folder = file_dir();
    const auto path = folder.path() / "deep" / "file";
    const std::string bytes("a\0\r\n\xFF", 5);
    REQUIRE(write_file_atomically(path, bytes));
    CHECK(read_file(path).value() == bytes);
}

TEST_CASE("reading a file says why it cannot be read") {
    const auto folder = file_dir();
    const auto absent = read_file(folder.path() / "absent");
    REQUIRE_FALSE(absent);
    CHECK(absent.error().message.find("absent") != std::string::npos);
    CHECK_FALSE(read_file(folder.path()));
    REQUIRE(write_file_atomically(folder.path() / "big", "12345"));
    CHECK_FALSE(read_file(folder.path() / "big", 4));
    CHECK(read_file(folder.path() / "big", 5));
}

TEST_CASE("reading a FIFO fails at once instead of waiting for a writer") {
    const auto folder = file_dir();
    const auto path = folder.path() / "fifo";
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    CHECK_FALSE(read_file(path));
}

TEST_CASE("an atomic write replaces the file and keeps its permissions") {
    const auto folder = file_dir();
    const auto path = folder.path() / "file";
    REQUIRE(write_file_atomically(path, "old", 0640));
    REQUIRE(write_file_atomically(path, "new", 0600));
    CHECK(read_file(path).value() == "new");
    struct stat info{};
    REQUIRE(::stat(path.c_str(), &info) == 0);
    CHECK((info.st_mode & 0777U) == 0640U);
}

TEST_CASE("an atomic write that fails leaves nothing behind") {
    const auto folder = file_dir();
    const auto path = folder.path() / "target";
    REQUIRE(make_folder(path / "in-the-way"));
    CHECK_FALSE(write_file_atomically(path, "text"));
    CHECK(list_names(folder.path()).value() == std::vector<std::string>{"target"});
}

TEST_CASE("a file with the same bytes is left alone") {
    const auto folder = file_dir();
    const auto path = folder.path() / "file";
    CHECK(write_file_if_changed(path, "a").value());
    const auto before = std::filesystem::last_write_time(path);
    CHECK_FALSE(write_file_if_changed(path, "a").value());
    CHECK(std::filesystem::last_write_time(path) == before);
    CHECK(write_file_if_changed(path, "b").value());
    CHECK(read_file(path).value() == "b");
}

TEST_CASE("lists are sorted, relative, and without what links lead to") {
    const auto folder = file_dir();
    REQUIRE(write_file_atomically(folder.path() / "b" / "2", ""));
    REQUIRE(write_file_atomically(folder.path() / "b" / "1", ""));
    REQUIRE(write_file_atomically(folder.path() / "a", ""));
    std::filesystem::create_directory_symlink(folder.path() / "b", folder.path() / "link");
    CHECK(list_files(folder.path()).value() == std::vector<fs::path>{"a", "b/1", "b/2"});
    CHECK(list_names(folder.path()).value() == std::vector<std::string>{"a", "b", "link"});
    CHECK(list_files(folder.path() / "absent").value().empty());
    CHECK(list_names(folder.path() / "absent").value().empty());
}

TEST_CASE("removing a tree does not follow links and does not mind absence") {
    const auto folder = file_dir();
    REQUIRE(write_file_atomically(folder.path() / "kept" / "file", ""));
    REQUIRE(make_folder(folder.path() / "gone"));
    std::filesystem::create_directory_symlink(folder.path() / "kept", folder.path() / "gone" / "l");
    CHECK(remove_tree(folder.path() / "gone"));
    CHECK(remove_tree(folder.path() / "gone"));
    CHECK(is_file(folder.path() / "kept" / "file"));
}

TEST_CASE("display_path is relative only where that is shorter and below") {
    const auto here = std::filesystem::current_path();
    CHECK(display_path(here / "x") == "x");
    CHECK(display_path(here.parent_path() / "x") == (here.parent_path() / "x").string());
    CHECK(display_path("already/relative") == "already/relative");
}
