#include "kbuild/git/repository.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>
#include <git2.h>

using namespace kbuild;
namespace fs = std::filesystem;

namespace {

/// A repository made with libgit2: tests need no git program and no configuration of the user.
class Repository {
  public:
    Repository() {
        git_libgit2_init();
        REQUIRE(git_repository_init(&repository_, path().c_str(), 0) == 0);
    }
    ~Repository() {
        git_repository_free(repository_);
        git_libgit2_shutdown();
    }
    Repository(const Repository&) = delete;
    Repository& operator=(const Repository&) = delete;

    const fs::path& path() const { return dir_.path(); }
    void write(const std::string& name, const std::string& text) const {
        REQUIRE(support::write_file_atomically(path() / name, text));
    }
    void stage(const std::string& name) const {
        git_index* index = nullptr;
        REQUIRE(git_repository_index(&index, repository_) == 0);
        REQUIRE(git_index_add_bypath(index, name.c_str()) == 0);
        REQUIRE(git_index_write(index) == 0);
        git_index_free(index);
    }
    /// Commits what is staged, always at the same time by the same person: ids are known.
    void commit() const {
        git_index* index = nullptr;
        git_oid tree_id;
        git_tree* tree = nullptr;
        git_signature* person = nullptr;
        git_oid id;
        REQUIRE(git_repository_index(&index, repository_) == 0);
        REQUIRE(git_index_write_tree(&tree_id, index) == 0);
        REQUIRE(git_tree_lookup(&tree, repository_, &tree_id) == 0);
        REQUIRE(git_signature_new(&person, "A", "a@example.org", 1700000000, 0) == 0);
        REQUIRE(git_commit_create_v(
                    &id, repository_, "HEAD", person, person, nullptr, "one\n", tree, 0) == 0);
        git_signature_free(person);
        git_tree_free(tree);
        git_index_free(index);
    }
    void add_committed(const std::string& name, const std::string& text) const {
        write(name, text);
        stage(name);
        commit();
    }
    git::HeadState state() const {
        const auto result = git::head_state(path());
        REQUIRE(result);
        REQUIRE(*result);
        return **result;
    }

  private:
    support::TempDir dir_ = *support::TempDir::create(fs::temp_directory_path(), "kbuild-git-");
    git_repository* repository_ = nullptr;
};

} // namespace

TEST_CASE("a clean work tree has HEAD's commit and tree") {
    const Repository repository;
    repository.add_committed("hello.txt", "hello\n");
    const auto state = repository.state();
    CHECK_FALSE(state.dirty);
    CHECK(state.commit.size() == 40);
    // The id of a tree with this one file; `git mktree` says the same.
    CHECK(state.tree == "aaa96ced2d9a1c8e72c56b253a0e2fe78393feb7");
}

TEST_CASE("a folder below the top belongs to the repository") {
    const Repository repository;
    repository.add_committed("sub/a.txt", "a");
    const auto state = git::head_state(repository.path() / "sub");
    REQUIRE(state);
    CHECK(*state == repository.state());
}

TEST_CASE("tracked files that differ make it dirty, on disk, in the index, or gone") {
    const Repository repository;
    repository.add_committed("a.txt", "a");
    SECTION("changed") {
        repository.write("a.txt", "changed");
    }
    SECTION("changed and staged") {
        repository.write("a.txt", "changed");
        repository.stage("a.txt");
    }
    SECTION("new and staged") {
        repository.write("b.txt", "b");
        repository.stage("b.txt");
    }
    SECTION("deleted") {
        REQUIRE(support::remove_tree(repository.path() / "a.txt"));
    }
    CHECK(repository.state().dirty);
}

TEST_CASE("untracked and ignored files do not make it dirty") {
    const Repository repository;
    repository.add_committed(".gitignore", "build/\n");
    repository.write("untracked.txt", "x");
    repository.write("build/ignored.txt", "x");
    CHECK_FALSE(repository.state().dirty);
}

TEST_CASE("a file that was only touched is not dirty") {
    const Repository repository;
    repository.add_committed("a.txt", "a");
    fs::last_write_time(repository.path() / "a.txt", fs::file_time_type::clock::now());
    CHECK_FALSE(repository.state().dirty);
}

TEST_CASE("a detached HEAD is as good as a branch") {
    const Repository repository;
    repository.add_committed("a.txt", "a");
    const auto before = repository.state();
    REQUIRE(support::write_file_atomically(repository.path() / ".git/HEAD", before.commit + "\n"));
    CHECK(repository.state() == before);
}

TEST_CASE("without a commit, or without a repository, there is no state") {
    const Repository repository;
    CHECK(*git::head_state(repository.path()) == std::nullopt);
    const auto elsewhere = support::TempDir::create(fs::temp_directory_path(), "kbuild-no-git-");
    CHECK(*git::head_state(elsewhere->path()) == std::nullopt);
}

TEST_CASE("a damaged repository is an error that names the folder") {
    const Repository repository;
    repository.add_committed("a.txt", "a");
    REQUIRE(support::write_file_atomically(repository.path() / ".git/HEAD",
                                           std::string(40, '1') + "\n"));
    const auto state = git::head_state(repository.path());
    REQUIRE_FALSE(state);
    CHECK(state.error().message.find(repository.path().filename().string()) != std::string::npos);
}

TEST_CASE("the unique id is seven digits of the tree, with _dirty; without git the content's") {
    const git::HeadState state{
        std::string(40, 'c'), "0123456789012345678901234567890123456789", false};
    CHECK(git::unique_id(state, "content") == "0123456");
    CHECK(git::unique_id(git::HeadState{state.commit, state.tree, true}, "content") ==
          "0123456_dirty");
    CHECK(git::unique_id(std::nullopt, "content") == "content");
}
