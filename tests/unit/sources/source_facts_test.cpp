#include "kbuild/sources/source_facts.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

using namespace kbuild::sources;
using kbuild::support::TempDir;

namespace {

struct Project {
    TempDir folder = *TempDir::create(std::filesystem::temp_directory_path(), "kbuild-facts-");
    void add(const std::string& path, const std::string& text) {
        REQUIRE(kbuild::support::write_file_atomically(folder.path() / path, text));
    }
    SourceFacts scan(const std::string& path,
                     const std::vector<std::filesystem::path>& dirs = {}) const {
        return scan_source(folder.path(), folder.path() / path, dirs);
    }
};

} // namespace

TEST_CASE("the kind of a source follows from its name") {
    CHECK(source_kind("a/gemm.hip") == SourceKind::device);
    CHECK(source_kind("relu.cu") == SourceKind::device);
    CHECK(source_kind("torch_binding.cpp") == SourceKind::host);
    CHECK(source_kind("gemm.h") == SourceKind::header);
    CHECK(source_kind("notes.md") == SourceKind::other);
}

TEST_CASE("facts come from includes, through the project's own headers") {
    Project project;
    project.add("gemm/gemm.hip", "#include \"tile.h\"\n#include <hip/hip_runtime.h>\n");
    project.add("gemm/tile.h", "#pragma once\n#  include \"../shared/torch_bits.h\"\n");
    project.add("shared/torch_bits.h", "#include <ATen/core/Tensor.h>\n");
    const auto facts = project.scan("gemm/gemm.hip");
    CHECK(facts.hip);
    CHECK(facts.torch);
    CHECK_FALSE(facts.python);
    CHECK_FALSE(facts.extension_name);
}

TEST_CASE("a torch-free device file has no torch in it") {
    Project project;
    project.add(
        "k.hip",
        "#include <hip/hip_runtime.h>\n// #include <torch/all.h> in a comment does not count\n");
    CHECK_FALSE(project.scan("k.hip").torch);
}

TEST_CASE("include folders of build.toml are searched, and cycles end") {
    Project project;
    project.add("src/a.cpp", "#include <mine/b.h>\n");
    project.add("include/mine/b.h", "#include \"b.h\"\n#include <c10/core/Device.h>\n");
    CHECK(project.scan("src/a.cpp", {project.folder.path() / "include"}).torch);
    CHECK_FALSE(project.scan("src/a.cpp").torch);
}

TEST_CASE("the name of the extension and Python are seen") {
    Project project;
    project.add("b.cpp", "#include \"registration.h\"\nREGISTER_EXTENSION(TORCH_EXTENSION_NAME)\n");
    const auto facts = project.scan("b.cpp");
    CHECK(facts.python);
    CHECK(facts.extension_name);
}
