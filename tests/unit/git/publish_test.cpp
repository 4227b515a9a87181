#include "kbuild/git/publish.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>
#include <git2.h>

using namespace kbuild;

namespace {

/// An empty bare repository that stands for a server, and a folder to publish from.
struct Bed {
    support::TempDir dir = support::TempDir::create("/tmp", "kbuild-git-").value();
    std::filesystem::path server = dir.path() / "server.git";
    std::filesystem::path work = dir.path() / "work";
    git::Remote remote{server.string(), {}, {}, {}};

    Bed() {
        git_libgit2_init();
        git_repository* repository = nullptr;
        REQUIRE(git_repository_init(&repository, server.c_str(), 1) == 0);
        git_repository_free(repository);
    }
    Bed(const Bed&) = delete;
    Bed& operator=(const Bed&) = delete;
    ~Bed() { git_libgit2_shutdown(); }

    git::Branch pushed(const std::string& branch,
                       const std::string& parent,
                       const std::vector<git::FileChange>& changes) const {
        REQUIRE(git::commit(work, branch, parent, changes, "message\n"));
        REQUIRE(git::push(work, remote, branch));
        REQUIRE(git::fetch(work, remote));
        return git::read_branch(work, branch).value().value();
    }
};

const std::string kPointer =
    "version https://git-lfs.github.com/spec/v1\noid sha256:" + std::string(64, 'a') +
    "\nsize 12345\n";

} // namespace

TEST_CASE("what is pushed can be fetched, LFS files as what they stand for") {
    const Bed bed;
    REQUIRE(git::fetch(bed.work, bed.remote));
    CHECK(git::read_branch(bed.work, "v1").value() == std::nullopt);
    const auto branch = bed.pushed(
        "v1", "", {{"build/a/k.so", {}, kPointer, false}, {"README.md", {}, "hello\n", false}});
    CHECK(branch.files ==
          std::vector<git::BranchFile>{
              {"README.md", "ce013625030ba8dba906f756967f9e9ca394464a", 6, ""},
              {"build/a/k.so", branch.files[1].blob_id, 12345, std::string(64, 'a')}});
}

TEST_CASE("a commit keeps what it does not change") {
    const Bed bed;
    REQUIRE(git::fetch(bed.work, bed.remote));
    const auto first = bed.pushed("v1", "", {{"a", {}, "1", false}, {"b", {}, "2", false}});
    const auto second = bed.pushed("v1", first.head, {{"a", {}, {}, true}, {"c", {}, "3", false}});
    REQUIRE(second.files.size() == 2);
    CHECK(second.files[0].path == "b");
    CHECK(second.files[1].path == "c");
}

TEST_CASE("a branch that moved meanwhile is not overwritten") {
    const Bed bed;
    REQUIRE(git::fetch(bed.work, bed.remote));
    const auto first = bed.pushed("v1", "", {{"a", {}, "1", false}});
    bed.pushed("v1", first.head, {{"theirs", {}, "2", false}});
    REQUIRE(git::commit(bed.work, "v1", first.head, {{"ours", {}, "3", false}}, "message\n"));
    const auto result = git::push(bed.work, bed.remote, "v1");
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == support::ErrorKind::network);
    CHECK(result.error().message.ends_with("the branch has moved meanwhile"));
}

TEST_CASE("`.gitattributes` of the commit says what is under LFS") {
    const Bed bed;
    REQUIRE(git::fetch(bed.work, bed.remote));
    const auto branch =
        bed.pushed("main",
                   "",
                   {{".gitattributes",
                     {},
                     "*.so filter=lfs diff=lfs merge=lfs -text\nbig/** filter=lfs\nbig/no filter\n",
                     false}});
    CHECK(git::under_lfs(bed.work, branch.head, {"build/k.so", "a.py", "big/deep/x", "big/no"})
              .value() == std::vector<bool>{true, false, true, false});
}

TEST_CASE("pointers") {
    CHECK(git::parse_pointer(kPointer) == std::pair(std::string(64, 'a'), std::uint64_t{12345}));
    CHECK_FALSE(git::parse_pointer("version https://git-lfs.github.com/spec/v1\n"));
    CHECK_FALSE(git::parse_pointer("oid sha256:" + std::string(64, 'a') + "\nsize 1\n"));
    CHECK_FALSE(git::parse_pointer(kPointer.substr(0, kPointer.size() - 7) + "x\n"));
    CHECK_FALSE(git::parse_pointer(""));
}

TEST_CASE("a server that is not there") {
    const auto folder = support::TempDir::create("/tmp", "kbuild-git-").value();
    const auto result =
        git::fetch(folder.path() / "work", {"http://127.0.0.1:1/x.git", "u", "secret", {}});
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == support::ErrorKind::network);
    CHECK(result.error().to_string().find("secret") == std::string::npos);
}
