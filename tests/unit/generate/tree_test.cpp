#include "kbuild/generate/scaffold.hpp"
#include "kbuild/generate/tree.hpp"

#include <catch2/catch.hpp>

using namespace kbuild::generate;

namespace {

Tree rocm_tree() {
    Tree tree;
    tree.name = "rocm64";
    tree.fingerprint = "f00d";
    tree.cxx = "/sdk/clang++";
    tree.hip = HipToolchain{"/sdk", "/sdk/clang++", "/sdk/bin/hipcc", {"ROCM_PATH=/sdk"}, "gfx942"};
    Library library;
    library.name = "gemm_rocm64";
    library.sources = {{"/p/gemm.hip", {"-cuid=1"}}};
    tree.libraries = {library};
    return tree;
}

} // namespace

TEST_CASE("a tree is three files: two fixed ones and its data") {
    const auto files = tree_files(rocm_tree());
    REQUIRE(files.size() == 3);
    CHECK(files.count("CMakeLists.txt") == 1);
    CHECK(files.count("kbuild.cmake") == 1);
    const auto& data = files.at("data.cmake");
    CHECK(data.find("set(KBUILD_TREE [[rocm64]])") != std::string::npos);
    CHECK(data.find("set(KBUILD_HIP_DRIVER_COMMAND [[env ROCM_PATH=/sdk /sdk/bin/hipcc]])") !=
          std::string::npos);
    CHECK(data.find("[[-cuid=1]]") != std::string::npos);
}

TEST_CASE("another toolchain gives another data file") {
    auto other = rocm_tree();
    other.fingerprint = "beef";
    CHECK(tree_files(rocm_tree()).at("data.cmake") != tree_files(other).at("data.cmake"));
}

TEST_CASE("the top Ninja file knows archives of ROCm trees by both of their names") {
    Tree host;
    host.name = "host";
    const auto text = supervisor_ninja({host, rocm_tree()}, "/my project/trees");
    CHECK(text.find("subninja host/build.ninja\n") != std::string::npos);
    CHECK(text.find("subninja rocm64/build.ninja\n") != std::string::npos);
    CHECK(text.find("build /my$ project/trees/rocm64/libgemm_rocm64.a: phony "
                    "rocm64/libgemm_rocm64.a\n") != std::string::npos);
}

TEST_CASE("a new project's names follow from the repository's") {
    const auto files = scaffold({"elementwise", "my-org", "My_Kernel", "MIT"});
    REQUIRE(files);
    CHECK(files->count("my_kernel_hip/my_kernel.hip") == 1);
    CHECK(files->count("torch-ext/my_kernel/__init__.py") == 1);
    CHECK(files->count(".gitignore") == 1);
    const auto& build = files->at("build.toml");
    CHECK(build.find("name = \"my-kernel\"") != std::string::npos);
    CHECK(build.find("repo-id = \"my-org/My-Kernel\"") != std::string::npos);
    CHECK(build.find("license = \"MIT\"") != std::string::npos);
    for (const auto& [path, text] : *files)
        CHECK(text.find("@module@") == std::string::npos);
}

TEST_CASE("without an owner there is no repo-id") {
    const auto files = scaffold({"elementwise", std::nullopt, "scale", "MIT"});
    REQUIRE(files);
    CHECK(files->at("build.toml").find("repo-id") == std::string::npos);
}

TEST_CASE("a name that makes no kernel name is refused") {
    CHECK_FALSE(scaffold({"elementwise", std::nullopt, "9lives", "MIT"}));
    CHECK_FALSE(scaffold({"elementwise", std::nullopt, "a", "MIT"}));
    CHECK_FALSE(scaffold({"no-such-template", std::nullopt, "scale", "MIT"}));
}
