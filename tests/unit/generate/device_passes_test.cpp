#include "kbuild/generate/tree.hpp"

#include <catch2/catch.hpp>

using namespace kbuild::generate;

namespace {

Tree tree_in_passes() {
    Tree tree;
    tree.name = "rocm64";
    tree.launcher = {"env", "CCACHE_DEPEND=1", "/usr/bin/ccache"};
    tree.hip = HipToolchain{"/sdk",
                            "/sdk/clang++",
                            {},
                            {},
                            "gfx942",
                            Bundler{"/sdk/bundler", {"-type=o"}, "host-x86_64"}};
    Library library;
    library.name = "gemm_rocm64";
    library.definitions = {"A=1"};
    library.sources = {{"/it's a p/x y.hip",
                        {"-cuid=1"},
                        {{"gfx90a:xnack-", {"--offload-arch=gfx90a:xnack-"}},
                         {"gfx942", {"--offload-arch=gfx942"}}}},
                       {"/it's a p/plain.hip", {"--offload-arch=gfx942"}, {}}};
    tree.libraries = {library};
    return tree;
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string ninja_of(const Tree& tree) {
    return supervisor_ninja({tree}, "/p/.kbuild/work");
}

} // namespace

TEST_CASE("each architecture is a step of its own, of the source and the library's options") {
    const auto text = ninja_of(tree_in_passes());
    CHECK(has(text,
              "build rocm64/device/gemm_rocm64/0-x_y.hip.gfx90a_xnack-.co: device_pass_rocm64 "
              "/it's$ a$ p/x$ y.hip\n"));
    CHECK(has(text,
              "build rocm64/device/gemm_rocm64/0-x_y.hip.gfx942.co: device_pass_rocm64 "
              "/it's$ a$ p/x$ y.hip\n"
              "  source = '/it'\\''s a p/x y.hip'\n"
              "  options = -DA=1 --offload-arch=gfx942\n"));
}

TEST_CASE("device code is joined in the order of architectures, behind an empty host") {
    CHECK(has(ninja_of(tree_in_passes()),
              "build rocm64/device/gemm_rocm64/0-x_y.hip.hipfb: bundle_rocm64 "
              "rocm64/device/gemm_rocm64/0-x_y.hip.gfx90a_xnack-.co "
              "rocm64/device/gemm_rocm64/0-x_y.hip.gfx942.co\n"
              "  options = -targets=host-x86_64,hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-,"
              "hipv4-amdgcn-amd-amdhsa--gfx942 -input=/dev/null "));
    CHECK(
        has(ninja_of(tree_in_passes()), "command = /sdk/bundler -type=o $options -output=$out\n"));
}

TEST_CASE("device passes run through the launcher and write their dependencies") {
    const auto text = ninja_of(tree_in_passes());
    CHECK(has(text,
              "command = env KBUILD_HIP_COMPILER=/sdk/clang++ CCACHE_DEPEND=1 env CCACHE_DEPEND=1 "
              "/usr/bin/ccache ../trees/rocm64/hip-pass -D__HIP_ROCclr__=1 -O3 -DNDEBUG -fPIC "
              "$options -MD -MT "
              "$out -MF $out.d -o $out -x hip -c $source\n"));
    CHECK(has(text, "  depfile = $out.d\n  deps = gcc\n"));
}

TEST_CASE("a driver that is a script runs device passes with its environment") {
    auto tree = tree_in_passes();
    tree.launcher.clear();
    tree.hip->driver = "/sdk/bin/hipcc";
    tree.hip->driver_environment = {"ROCM_PATH=/sdk"};
    CHECK(has(ninja_of(tree),
              "command = env ROCM_PATH=/sdk KBUILD_HIP_COMPILER=/sdk/bin/hipcc CCACHE_DEPEND=1 "
              "../trees/rocm64/hip-pass "));
}

TEST_CASE("the host pass embeds what was joined and waits for it; other units have no passes") {
    const auto tree = tree_in_passes();
    const auto data = tree_files(tree).at("data.cmake");
    const std::string bundle = "device/gemm_rocm64/0-x_y.hip.hipfb";
    CHECK(has(data,
              "[[-cuid=1 --cuda-host-only -Xclang -fcuda-include-gpubinary -Xclang rocm64/" +
                  bundle + "]]"));
    CHECK(has(data, "set(KBUILD_gemm_rocm64_SOURCE_BUNDLE_0 [[" + bundle + "]])"));
    CHECK(has(data, "set(KBUILD_gemm_rocm64_SOURCE_BUNDLE_1 [[]])"));
    CHECK(has(data, "[[--offload-arch=gfx942]]"));
    CHECK_FALSE(has(ninja_of(tree), "plain.hip"));
    CHECK(has(data,
              "set(KBUILD_HIP_COMMAND [[env KBUILD_HIP_COMPILER=/sdk/clang++ CCACHE_DEPEND=1 "
              "../trees/rocm64/embed-pass env "));
}

TEST_CASE("a tree without a bundler has neither passes nor their scripts") {
    auto tree = tree_in_passes();
    CHECK(tree_files(tree).count("hip-pass") == 1);
    CHECK(tree_files(tree).count("embed-pass") == 1);
    tree.hip->bundler.reset();
    tree.libraries[0].sources[0].device_passes.clear();
    CHECK(tree_files(tree).count("hip-pass") == 0);
    CHECK_FALSE(has(ninja_of(tree), "device_pass"));
}
