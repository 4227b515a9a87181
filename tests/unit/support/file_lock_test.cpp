#include "kbuild/support/file_lock.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <unistd.h>

using namespace kbuild::support;
using std::chrono::milliseconds;

namespace {

TempDir temp_dir() {
    return std::move(
        TempDir::create(std::filesystem::temp_directory_path(), "kbuild-lock-").value());
}

} // namespace

TEST_CASE("a lock is free again when its holder dies") {
    const auto folder = temp_dir();
    const auto path = folder.path() / "lock";
    {
        REQUIRE(FileLock::acquire(path, milliseconds(0)));
    }
    CHECK(FileLock::acquire(path, milliseconds(0)));
}

TEST_CASE(
    "a lock that somebody holds is not obtained; the error has its own kind and names the holder") {
    const auto folder = temp_dir();
    const auto path = folder.path() / "lock";
    const auto holder = FileLock::acquire(path, milliseconds(0));
    REQUIRE(holder);
    std::string seen;
    const auto second =
        FileLock::acquire(path, milliseconds(1), [&seen](const std::string& note) { seen = note; });
    REQUIRE_FALSE(second);
    CHECK(second.error().kind == ErrorKind::lock);
    const auto pid = std::to_string(::getpid());
    CHECK(second.error().message.find(pid) != std::string::npos);
    CHECK(seen.find(pid) != std::string::npos);
}

TEST_CASE("a moved lock is still held, by its new owner alone") {
    const auto folder = temp_dir();
    const auto path = folder.path() / "lock";
    auto first = FileLock::acquire(path, milliseconds(0));
    {
        const FileLock second = std::move(first.value());
        CHECK_FALSE(FileLock::acquire(path, milliseconds(0)));
    }
    CHECK(FileLock::acquire(path, milliseconds(0)));
}
