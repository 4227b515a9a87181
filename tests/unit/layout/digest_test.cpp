#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using Kind = layout::DigestDifference::Kind;
namespace fs = std::filesystem;

namespace {

class Folder {
  public:
    void write(const std::string& name, const std::string& text) const {
        REQUIRE(support::write_file_atomically(path() / name, text));
    }
    const fs::path& path() const { return dir_.path(); }
    std::vector<std::string> digested() const {
        std::vector<std::string> names;
        const auto entries = layout::digest_folder(path());
        REQUIRE(entries);
        for (const auto& entry : *entries)
            names.push_back(entry.path);
        return names;
    }

  private:
    support::TempDir dir_ = *support::TempDir::create(fs::temp_directory_path(), "kbuild-digest-");
};

} // namespace

TEST_CASE("the digest of a file is the base64 of its SHA-256") {
    const Folder folder;
    folder.write("_extension.so", "hello world");
    const auto digest = layout::digest_folder(folder.path());
    REQUIRE(digest);
    CHECK(*digest == std::vector<layout::DigestEntry>{
                         {"_extension.so", "uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek="}});
}

TEST_CASE(
    "metadata at the top, signatures and bytecode are left out; the same names below are not") {
    const Folder folder;
    for (const auto* name : {"metadata.json",
                             "metadata.json.sigstore",
                             "a.pyc",
                             "__pycache__/a.py",
                             "sub/__pycache__/b",
                             "sub/b.pyc",
                             "sub/metadata.json",
                             ".hidden",
                             "__init__.py"})
        folder.write(name, "x");
    CHECK(folder.digested() ==
          std::vector<std::string>{".hidden", "__init__.py", "sub/metadata.json"});
}

TEST_CASE("paths are sorted as strings, not folder by folder") {
    const Folder folder;
    for (const auto* name : {"a/b", "a.b", "a-b"})
        folder.write(name, "x");
    CHECK(folder.digested() == std::vector<std::string>{"a-b", "a.b", "a/b"});
}

TEST_CASE("a link to a file counts as the file, a link to a folder not at all, a broken link is an "
          "error") {
    const Folder folder;
    folder.write("real/file", "x");
    fs::create_symlink("real/file", folder.path() / "link");
    fs::create_directory_symlink("real", folder.path() / "folder");
    CHECK(folder.digested() == std::vector<std::string>{"link", "real/file"});
    fs::create_symlink("nowhere", folder.path() / "broken");
    CHECK_FALSE(layout::digest_folder(folder.path()));
}

TEST_CASE("differences come in upstream's order: missing and different by path, then unknown") {
    const Folder folder;
    for (const auto* name : {"a", "b", "d"})
        folder.write(name, name);
    const auto before = *layout::digest_folder(folder.path());
    CHECK(layout::compare_digest(before, folder.path())->empty());
    folder.write("a", "changed");
    REQUIRE(support::remove_tree(folder.path() / "b"));
    folder.write("c", "new");
    CHECK(*layout::compare_digest(before, folder.path()) ==
          std::vector<layout::DigestDifference>{
              {Kind::different, "a"}, {Kind::missing, "b"}, {Kind::unknown, "c"}});
}

TEST_CASE("an empty folder has an empty digest") {
    CHECK(Folder().digested().empty());
}
