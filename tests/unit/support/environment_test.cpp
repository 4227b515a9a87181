#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>

using namespace kbuild::support;

namespace {

/// Sets a variable for the length of a test.
class Variable {
  public:
    Variable(std::string name, const std::string& value)
        : name_(std::move(name)), old_(environment(name_)) {
        ::setenv(name_.c_str(), value.c_str(), 1);
    }
    ~Variable() {
        if (old_)
            ::setenv(name_.c_str(), old_->c_str(), 1);
        else
            ::unsetenv(name_.c_str());
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

  private:
    std::string name_;
    std::optional<std::string> old_;
};

} // namespace

TEST_CASE("a variable that is set but empty counts as unset") {
    const Variable empty("KBUILD_TEST_VARIABLE", "");
    CHECK_FALSE(environment("KBUILD_TEST_VARIABLE"));
    const Variable set("KBUILD_TEST_VARIABLE", "x");
    CHECK(environment("KBUILD_TEST_VARIABLE") == "x");
}

TEST_CASE("data and cache follow the XDG variables, else the home folder") {
    const Variable home("HOME", "/home/somebody");
    const Variable data("XDG_DATA_HOME", "/data");
    const Variable cache("XDG_CACHE_HOME", "");
    CHECK(data_home() == "/data/kbuild");
    CHECK(cache_home() == "/home/somebody/.cache/kbuild");
}

TEST_CASE("a program is found on PATH if it can be executed") {
    const auto folder = TempDir::create(std::filesystem::temp_directory_path(), "kbuild-env-");
    const auto root = folder.value().path();
    REQUIRE(write_file_atomically(root / "first" / "tool", "", 0644));
    REQUIRE(write_file_atomically(root / "second" / "tool", "", 0755));
    const Variable path("PATH", (root / "first").string() + ":" + (root / "second").string());
    CHECK(find_program("tool") == root / "second" / "tool");
    CHECK_FALSE(find_program("no-such-tool"));
    CHECK(find_program((root / "second" / "tool").string()) == root / "second" / "tool");
    CHECK_FALSE(find_program((root / "first" / "tool").string()));
}
