#include "parse.hpp"

using namespace kbuild;
using model::Backend;

namespace {

/// Every key of edition 5 (upstream.md 2.3).
constexpr const char* kEverything = R"([general]
name = "my-kernel"
version = 3
edition = 5
license = "Apache-2.0"
backends = ["cann", "cpu", "cuda", "metal", "neuron", "rocm", "tpu", "xpu"]
upstream = "https://github.com/a/b"
source = "git@github.com:a/b.git"
kernel-depends = [{ repo-id = "k/einops", version = 1 }]
python-depends = ["einops"]

[general.hub]
repo-id = "me/my-kernel"
branch = "main"

[general.cuda]
minver = "12.0"
maxver = "13.2"
kernel-depends = [{ repo-id = "k/x", revision = "abc" }]
python-depends = ["nvidia-cutlass-dsl"]

[general.neuron]
python-depends = ["nki"]

[general.tpu]
python-depends = []

[general.xpu]
python-depends = ["onednn"]

[torch]
src = ["torch-ext/torch_binding.cpp"]
include = ["."]
minver = "2.12"
maxver = "2.14"
pyext = ["py", "pyi", "json"]
cxx-flags = ["-DX=1"]

[torch.stable-abi]
cuda = "2.11"

[kernel.a_rocm]
backend = "rocm"
depends = ["torch"]
src = ["a.hip", "a.h"]
include = ["inc"]
cxx-flags = ["-O2"]
rocm-archs = ["gfx942", "gfx90a"]
hip-flags = ["-ffast-math"]

[kernel.a_cuda]
backend = "cuda"
depends = ["torch", "cutlass_4_0"]
src = ["a.cu"]
cuda-capabilities = ["9.0"]
cuda-flags = ["-lineinfo"]
cuda-minver = "12.8"

[kernel.a_cpu]
backend = "cpu"
depends = []
src = ["a.cpp"]

[kernel.a_metal]
backend = "metal"
depends = ["metal-cpp"]
src = ["a.metal"]

[kernel.a_xpu]
backend = "xpu"
depends = ["sycl_tla"]
src = ["a_xpu.cpp"]
sycl-flags = ["-fsycl"]
)";

} // namespace

TEST_CASE("every key of edition 5 arrives in the model") {
    const auto outcome = parse::text(kEverything);
    REQUIRE(outcome.config);
    const auto& config = *outcome.config;
    CHECK(config.general.name.value.module() == "my_kernel");
    CHECK(config.general.version == 3);
    CHECK(config.general.backends.size() == 8);
    CHECK(config.general.hub.repo_id == "me/my-kernel");
    CHECK(config.general.hub.branch == "main");
    CHECK(config.general.upstream == "https://github.com/a/b");
    CHECK(config.general.source == "git@github.com:a/b.git");
    const auto& cuda = config.general.backend_options.at(Backend::cuda);
    CHECK(cuda.versions.to_string() == "12 to 13.2");
    CHECK(cuda.kernel_depends.at(0).revision == "abc");
    CHECK(config.framework.kind == config::FrameworkKind::torch);
    CHECK(config.framework.versions.to_string() == "2.12 to 2.14");
    CHECK(config.framework.cxx_flags.at(0).value == "-DX=1");
    CHECK(config.framework.include.value().at(0).value == ".");
    CHECK(config.framework.stable_abi.size() == 1);
    CHECK(config.framework.stable_abi.at(Backend::cuda) == model::Version({2, 11}));
    REQUIRE(config.kernels.size() == 5);
    const auto& rocm = config.kernels.at(0);
    CHECK(rocm.name == "a_rocm");
    CHECK(rocm.src.at(1).value == "a.h");
    CHECK(rocm.include.at(0).value == "inc");
    CHECK(rocm.cxx_flags.at(0).value == "-O2");
    CHECK(rocm.hip_flags.at(0).value == "-ffast-math");
    CHECK(rocm.rocm_archs.at(0).value.to_string() == "gfx942");
    const auto& cu = config.kernels.at(1);
    CHECK(cu.cuda_capabilities.at(0).value == "9.0");
    CHECK(cu.cuda_flags.at(0).value == "-lineinfo");
    CHECK(cu.cuda_minver == model::Version({12, 8}));
    CHECK(config.kernels.at(4).sycl_flags.at(0).value == "-fsycl");
}

TEST_CASE("sections keep the order of the file, whatever their names") {
    const auto config = parse::text(kEverything).config;
    std::string order;
    for (const auto& kernel : config->kernels)
        order += kernel.name + " ";
    CHECK(order == "a_rocm a_cuda a_cpu a_metal a_xpu ");
}

TEST_CASE("values know where they are written") {
    const auto config = parse::text(kEverything).config;
    CHECK(config->general.name.span.begin == diag::Position{2, 8});
    CHECK(config->kernels.at(0).src.at(1).span.begin == diag::Position{45, 17});
    CHECK(config->kernels.at(0).span.begin == diag::Position{42, 1});
}

TEST_CASE("dependencies of a backend are the general ones, then its own") {
    const auto config = parse::text(kEverything).config;
    CHECK(config->python_depends(Backend::cuda) ==
          std::vector<std::string>{"einops", "nvidia-cutlass-dsl"});
    CHECK(config->python_depends(Backend::rocm) == std::vector<std::string>{"einops"});
    CHECK(config->kernel_depends(Backend::cuda).size() == 2);
    CHECK(config->kernel_depends(Backend::rocm).size() == 1);
}

TEST_CASE("data extensions are those that are not Python") {
    CHECK(parse::text(kEverything).config->data_extensions() == std::vector<std::string>{"json"});
    CHECK(parse::text(parse::minimal()).config->data_extensions().empty());
}

TEST_CASE("one stable ABI version is meant for every backend") {
    auto text = parse::minimal();
    text.replace(text.find("[torch]\n"), 8, "[torch]\nstable-abi = \"2.11\"\n");
    const auto config = parse::text(text).config;
    REQUIRE(config);
    CHECK(config->framework.stable_abi.size() == model::kBackends.size());
}

TEST_CASE("tvm-ffi and torch-noarch have tables of their own") {
    const auto tvm = parse::text(
        "[general]\nname = \"ab\"\nversion = 1\nedition = 5\nlicense = \"x\"\nbackends = []\n"
        "[tvm-ffi]\nsrc = [\"b.cpp\"]\ncxx-flags = [\"-O1\"]\n");
    REQUIRE(tvm.config);
    CHECK(tvm.config->framework.kind == config::FrameworkKind::tvm_ffi);
    CHECK(tvm.config->framework.src.at(0).value == "b.cpp");
    const auto noarch =
        parse::text("[general]\nname = \"ab\"\nversion = 1\nedition = 5\nlicense = \"x\"\nbackends "
                    "= [\"rocm\"]\n"
                    "[torch-noarch]\nrocm_archs = [\"gfx942\"]\ncuda_capabilities = [\"9.0\"]\n");
    REQUIRE(noarch.config);
    CHECK(noarch.config->framework.kind == config::FrameworkKind::torch_noarch);
    CHECK(noarch.config->framework.rocm_archs.at(0).value == "gfx942");
}

TEST_CASE("inline tables and dotted keys are the same as tables") {
    const auto outcome = parse::text(
        "general = { name = \"ab\", version = 1, edition = 5, license = \"x\", backends = "
        "[\"rocm\"] }\n"
        "torch.src = []\n"
        "kernel.k = { backend = \"rocm\", depends = [], src = [\"k.hip\"] }\n");
    REQUIRE(outcome.config);
    CHECK(outcome.config->kernels.at(0).name == "k");
}
