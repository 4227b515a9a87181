#include "kbuild/generate/scaffold.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using namespace kbuild::generate;

namespace {

bool holds(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a new project's names follow from the repository's") {
    const auto files = scaffold({"elementwise", "my-org", "My_Kernel", "MIT", {}});
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
    const auto files = scaffold({"elementwise", std::nullopt, "scale", "MIT", {}});
    REQUIRE(files);
    CHECK(files->at("build.toml").find("repo-id") == std::string::npos);
}

TEST_CASE("a name that makes no kernel name is refused") {
    CHECK_FALSE(scaffold({"elementwise", std::nullopt, "9lives", "MIT", {}}));
    CHECK_FALSE(scaffold({"elementwise", std::nullopt, "a", "MIT", {}}));
    CHECK_FALSE(scaffold({"no-such-template", std::nullopt, "scale", "MIT", {}}));
}

TEST_CASE("every template is a whole project without marks of the template") {
    for (const auto& name : template_names()) {
        CAPTURE(name);
        const auto files = scaffold({name, "my-org", "My_Kernel", "MIT", {}});
        REQUIRE(files);
        for (const auto* path : {"build.toml",
                                 "flake.nix",
                                 "CARD.md",
                                 ".gitattributes",
                                 ".gitignore",
                                 ".github/workflows/kernel.yml",
                                 "torch-ext/my_kernel/__init__.py"})
            CHECK(files->count(path) == 1);
        for (const auto& [path, text] : *files) {
            CAPTURE(path);
            CHECK_FALSE(holds(path, "@"));
            CHECK_FALSE(holds(text, "@module@"));
            CHECK_FALSE(holds(text, "@if "));
            CHECK_FALSE(holds(text, "@end@"));
        }
        CHECK(holds(files->at("build.toml"), "name = \"my-kernel\""));
        CHECK(holds(files->at("build.toml"), "repo-id = \"my-org/My-Kernel\""));
        CHECK(holds(files->at("build.toml"), "license = \"MIT\""));
        CHECK(holds(files->at(".gitattributes"), "*.so filter=lfs"));
    }
}

TEST_CASE("a template for fewer backends has the sources of these only") {
    for (const auto* name : {"elementwise", "stable-abi"}) {
        const auto files = scaffold({name, {}, "scale", "MIT", {model::Backend::cpu}});
        REQUIRE(files);
        CHECK(files->count("scale_hip/scale.hip") == 0);
        CHECK(files->count("scale_cpu/scale_cpu.cpp") == 1);
        CHECK(holds(files->at("build.toml"), "backends = [\"cpu\"]"));
        CHECK_FALSE(holds(files->at("torch-ext/torch_binding.cpp"), "ROCM_KERNEL"));
        CHECK_FALSE(holds(files->at("torch-ext/torch_binding.cpp"), "_hip/"));
    }
}

TEST_CASE("a template is not made for backends that it has not") {
    CHECK_FALSE(scaffold({"cpu", {}, "scale", "MIT", {model::Backend::rocm}}));
    CHECK_FALSE(scaffold({"gemm-fp8", {}, "scale", "MIT", {model::Backend::rocm}}));
    CHECK_FALSE(scaffold({"elementwise", {}, "scale", "MIT", {model::Backend::cuda}}));
}

TEST_CASE("blocks stay if their name is wanted") {
    constexpr auto* kText = "a\n@if x@\nb\n@end@\nc\n";
    CHECK(keep_blocks(kText, {"x"}) == "a\nb\nc\n");
    CHECK(keep_blocks(kText, {"y"}) == "a\nc\n");
    CHECK(keep_blocks("no line end", {}) == "no line end");
}
