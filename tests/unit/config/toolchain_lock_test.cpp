#include "kbuild/config/toolchain_lock.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using namespace kbuild::config;
using Lines = std::vector<std::string>;

namespace {

ToolchainLock example() {
    return {{"torch213-cxx11-rocm64-x86_64-linux"},
            {{"rocm@6.4",
              "6.4.43484",
              "apt",
              "mix",
              "Debian forky",
              "f00",
              {{"clang-21", "1:21.1.8-1", "aa"}, {"hipcc", "7.0.2-3", "bb"}}},
             {"torch@2.13", "2.13.0+cu130", "path", "release", "", "f01", {}}}};
}

struct Folder {
    support::TempDir folder =
        support::TempDir::create(std::filesystem::temp_directory_path(), "kbuild-lock-").value();
    void write(const std::string& text) const {
        REQUIRE(support::write_file_atomically(folder.path() / "kbuild.lock", text));
    }
    support::Result<std::optional<ToolchainLock>> load() const {
        return load_toolchain_lock(folder.path());
    }
};

} // namespace

TEST_CASE("a lock is read back as it was written") {
    const Folder folder;
    const auto text = write_toolchain_lock(example());
    folder.write(text);
    const auto lock = folder.load();
    REQUIRE((lock && *lock));
    CHECK(write_toolchain_lock(**lock) == text);
    CHECK(differences(example(), **lock, false).empty());
    CHECK(support::contains(text,
                            R"(  { name = "clang-21", version = "1:21.1.8-1", sha256 = "aa" },)"));
}

TEST_CASE("quotes and control characters in names survive") {
    const Folder folder;
    auto lock = example();
    lock.sdks[1].name = "/opt/a \"b\"\\c\td";
    folder.write(write_toolchain_lock(lock));
    CHECK((*folder.load())->sdks[1].name == lock.sdks[1].name);
}

TEST_CASE("without a file there is no lock") {
    const Folder folder;
    const auto lock = folder.load();
    REQUIRE(lock.has_value());
    CHECK_FALSE(lock->has_value());
}

TEST_CASE("a damaged lock and one of another format are refused with the command that mends them") {
    const Folder folder;
    for (const auto* text : {"format = ", "format = 2\n", "", "format = \"1\"\n"}) {
        folder.write(text);
        const auto lock = folder.load();
        REQUIRE_FALSE(lock.has_value());
        CHECK(lock.error().kind == support::ErrorKind::toolchain);
        CHECK(lock.error().hint == "kbuild toolchain lock");
    }
}

TEST_CASE("extra libraries are part of a lock, and of no lock without them") {
    const Folder folder;
    CHECK_FALSE(support::contains(write_toolchain_lock(example()), "extra"));
    auto lock = example();
    lock.sdks[0].extra = {"hipfft", "rocwmma"};
    const auto text = write_toolchain_lock(lock);
    CHECK(support::contains(text, "extra = [\"hipfft\", \"rocwmma\"]\n"));
    folder.write(text);
    CHECK((*folder.load())->sdks[0].extra == lock.sdks[0].extra);
}

TEST_CASE("every difference is named: version, bytes, files that came and went") {
    auto now = example();
    now.sdks[0].files = {{"clang-21", "1:21.1.9-1", "ab"}, {"lld-21", "1", "cc"}};
    CHECK(differences(example(), now, false) ==
          Lines{"rocm@6.4: `clang-21` is 1:21.1.9-1, locked is 1:21.1.8-1",
                "rocm@6.4: made without `hipcc` 7.0.2-3",
                "rocm@6.4: `lld-21` 1 is not in the lock"});
    now = example();
    now.sdks[0].files[1].sha256 = "cc";
    CHECK(differences(example(), now, false) ==
          Lines{"rocm@6.4: `hipcc` 7.0.2-3 has other bytes: SHA-256 cc, locked is bb"});
}

TEST_CASE("an installed SDK is compared by provider and version") {
    auto now = example();
    now.sdks[1].fingerprint = "other";
    CHECK(differences(example(), now, false).empty());
    now.sdks[1].version = "2.13.1";
    CHECK(differences(example(), now, false) ==
          Lines{"torch@2.13: version 2.13.1, locked is 2.13.0+cu130"});
}

TEST_CASE("variants and SDKs that are locked and not used matter unless only some were asked for") {
    auto now = example();
    now.variants.clear();
    now.sdks.pop_back();
    CHECK(differences(example(), now, true).empty());
    CHECK(differences(example(), now, false) ==
          Lines{"torch@2.13: locked, but not among the SDKs used here",
                "torch213-cxx11-rocm64-x86_64-linux: locked, but not built here"});
    now.variants = {"torch214-cxx11-cpu-x86_64-linux"};
    CHECK(differences(example(), now, true) ==
          Lines{"torch214-cxx11-cpu-x86_64-linux: not in the lock"});
}
