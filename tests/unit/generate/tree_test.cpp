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

TEST_CASE("a tree is four files: three fixed ones and its data") {
    const auto files = tree_files(rocm_tree());
    REQUIRE(files.size() == 4);
    CHECK(files.count("CMakeLists.txt") == 1);
    CHECK(files.count("kbuild.cmake") == 1);
    const auto& data = files.at("data.cmake");
    CHECK(data.find("set(KBUILD_TREE [[rocm64]])") != std::string::npos);
    CHECK(data.find("set(KBUILD_HIP_COMMAND [[env ROCM_PATH=/sdk /sdk/bin/hipcc]])") !=
          std::string::npos);
    CHECK(data.find("[[-cuid=1]]") != std::string::npos);
}

TEST_CASE("a tree that links has a list of what libraries export: Python's entry only") {
    auto tree = rocm_tree();
    tree.modules = {{"module", "_gemm_cpu_1.abi3", {}, {}, {}, {}}};
    const auto files = tree_files(tree);
    REQUIRE(files.count("exports.map") == 1);
    CHECK(files.at("exports.map").find("PyInit_*;") != std::string::npos);
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
