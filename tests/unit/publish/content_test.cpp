#include "file_ids.hpp"

#include "kbuild/publish/content.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace kbuild;
namespace fs = std::filesystem;

namespace {

constexpr const char* kMetadata =
    R"({"name":"kk","id":"_k_cpu_1","version":1,"license":"MIT","python-depends":[],"backend":{"type":"cpu"}})";

struct Variant {
    support::TempDir dir = support::TempDir::create("/tmp", "kbuild-content-").value();
    fs::path folder = dir.path() / "torch-cpu";
    Variant() { write("metadata.json", kMetadata); }
    void write(const std::string& path, const std::string& text) const {
        REQUIRE(support::write_file_atomically(folder / path, text));
    }
};

} // namespace

TEST_CASE("the ids of a content are those of git and of sha256sum") {
    const auto ids = publish::text_ids("hello\n");
    CHECK(ids.blob_id == "ce013625030ba8dba906f756967f9e9ca394464a"); // git hash-object
    CHECK(ids.sha256 == "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03");
    CHECK(publish::text_ids("").blob_id == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
    CHECK(publish::lfs_pointer(ids.sha256, 6) ==
          "version https://git-lfs.github.com/spec/v1\noid sha256:" + ids.sha256 + "\nsize 6\n");
}

TEST_CASE("what belongs into a variant") {
    const publish::AllowList allowed{{"json5"}};
    for (const auto* const path : {"__init__.py",
                                   "a/b.pyi",
                                   "k.abi3.so",
                                   "metadata.json",
                                   "metadata.json.sigstore",
                                   "build-provenance.json",
                                   "LICENSE",
                                   "x.json5"})
        CHECK(publish::belongs(allowed, path));
    for (const auto* const path : {"a.pyc",
                                   "__pycache__/a.py",
                                   ".git/x.py",
                                   ".hidden.py",
                                   "kernel.hip",
                                   "k.o",
                                   "a/metadata.json",
                                   "x.json",
                                   "CMakeFiles/a.py",
                                   "Makefile",
                                   "k.so.1.tmp"})
        CHECK_FALSE(publish::belongs(allowed, path));
}

TEST_CASE("the files of a variant, sorted, with their place in the repository") {
    const Variant variant;
    variant.write("_ops.py", "x");
    variant.write("__init__.py", "");
    diag::Collector findings;
    const auto found = publish::collect_variants({variant.folder}, {}, findings);
    REQUIRE(found);
    CHECK(findings.sorted().empty());
    const auto& files = found->front().files;
    REQUIRE(files.size() == 3);
    CHECK(files[0].path == "build/torch-cpu/__init__.py");
    CHECK(files[0].size == 0);
    CHECK(files[1].path == "build/torch-cpu/_ops.py");
    CHECK(files[2].path == "build/torch-cpu/metadata.json");
}

TEST_CASE("everything that does not belong there is named in one run") {
    const Variant variant;
    variant.write("__pycache__/a.pyc", "x");
    variant.write("kernel.hip", "x");
    fs::create_symlink("metadata.json", variant.folder / "link.py");
    diag::Collector findings;
    REQUIRE(publish::collect_variants({variant.folder}, {}, findings));
    std::vector<std::string> codes;
    for (const auto& finding : findings.sorted())
        codes.push_back(finding.code);
    std::sort(codes.begin(), codes.end());
    CHECK(codes == std::vector<std::string>{"K1001", "K1001", "K1002"});
}

TEST_CASE("benchmarks are the plain files of that name at the top of the folder") {
    const auto project = support::TempDir::create("/tmp", "kbuild-content-").value();
    for (const auto* const name :
         {"benchmark.py", "benchmark_a.py", "helper.py", "deep/benchmark.py"})
        REQUIRE(support::write_file_atomically(project.path() / "benchmarks" / name, "x"));
    const auto files = publish::collect_benchmarks(project.path());
    REQUIRE(files);
    REQUIRE(files->size() == 2);
    CHECK(files->at(1).path == "benchmarks/benchmark_a.py");
    CHECK(publish::collect_benchmarks(project.path() / "nowhere")->empty());
}

TEST_CASE("a file that changed after it was hashed is not sent") {
    const Variant variant;
    diag::Collector findings;
    const auto found = publish::collect_variants({variant.folder}, {}, findings);
    const auto& file = found->front().files.front();
    CHECK(publish::read_content(file) == kMetadata);
    variant.write("metadata.json", "{}");
    CHECK_FALSE(publish::read_content(file));
}
