#include "kbuild/build/conversion.hpp"
#include "kbuild/build/plan.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace kbuild;
namespace fs = std::filesystem;

namespace {

/// `cuda` becomes `hip`, and `@TORCH@` what the converter's torch is called.
constexpr std::string_view kHipify = R"PY(
import os

class Result:
    def __init__(self, path):
        self.hipified_path = path

def get_hip_file_path(path, is_pytorch_extension=False):
    return path.replace("cuda", "hip").replace(".cu", ".hip")

def hipify(output_directory, extra_files, **options):
    results = {}
    for path in extra_files:
        text = open(path).read()
        name = get_hip_file_path(os.path.relpath(path, output_directory))
        target = os.path.join(output_directory, name)
        converted = text.replace("cuda", "hip").replace("VERSION", "@TORCH@")
        if converted != text or target != path:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            open(target, "w").write(converted)
        results[path] = Result(target)
    return results
)PY";

/// A kernel of CUDA sources beside one of HIP sources, two torches, one ROCm.
struct Fixture {
    support::TempDir folder =
        support::TempDir::create(fs::temp_directory_path(), "kbuild-conversion-").value();
    fs::path root = folder.path() / "project";
    config::BuildConfig config;
    std::vector<model::TorchSdk> torch;
    model::RocmSdk rocm;
    matrix::BuildSet set;
    diag::Collector findings;

    Fixture() {
        write(root / "torch-ext/binding.cpp", "#include <torch/library.h>\n");
        write(root / "relu_cuda/relu.cu", "#include <cuda_runtime.h>\n#include \"relu.cuh\"\n");
        write(root / "relu_cuda/relu.cuh", "cudaStream_t stream;\n");
        write(root / "plain/plain.hip", "#include <hip/hip_runtime.h>\n");
        config.general.name.value = *model::KernelName::parse("my-kernel");
        config.framework.src = strings({"torch-ext/binding.cpp"});
        add_kernel("relu", {"relu_cuda/relu.cu"});
        add_kernel("plain", {"plain/plain.hip"});
        rocm.name = "rocm@6.4";
        rocm.version = *model::Version::parse("6.4");
        rocm.bitcode = folder.path() / "bitcode";
        write(rocm.bitcode / "oclc_isa_version_942.bc", "");
        torch.push_back(make_torch("2.13"));
        torch.push_back(make_torch("2.14"));
        for (const auto& sdk : torch)
            select(sdk);
    }

    static void write(const fs::path& path, const std::string& text) {
        REQUIRE(support::write_file_atomically(path, text));
    }

    static config::Strings strings(const std::vector<std::string>& values) {
        config::Strings result;
        for (const auto& value : values)
            result.push_back({value, {}});
        return result;
    }

    std::vector<std::string> keep; ///< `[hipify] keep`

    void add_kernel(const std::string& name, const std::vector<std::string>& src) {
        config::KernelComponent kernel;
        kernel.name = name;
        kernel.backend = model::Backend::rocm;
        kernel.src = strings(src);
        kernel.rocm_archs = {{*model::GfxArch::parse("gfx942"), {}}};
        config.kernels.push_back(kernel);
    }

    model::TorchSdk make_torch(const std::string& version) const {
        model::TorchSdk sdk;
        sdk.name = "torch@" + version;
        sdk.version = *model::Version::parse(version);
        sdk.fingerprint = version;
        sdk.hipify = folder.path() / version / "hipify";
        write(*sdk.hipify / "__init__.py", "");
        write(*sdk.hipify / "hipify_python.py",
              support::replace_all(std::string(kHipify), "@TORCH@", version));
        return sdk;
    }

    void select(const model::TorchSdk& sdk) {
        matrix::Selected selected;
        selected.variant.framework_version = sdk.short_version();
        selected.variant.backend = model::Backend::rocm;
        selected.variant.backend_version = rocm.short_version();
        selected.torch = &sdk;
        selected.rocm = &rocm;
        set.selected.push_back(selected);
    }

    build::Conversions convert() {
        auto conversions = build::convert_cuda_sources(
            config, build::rocm_torches(set), keep, root, build::work_folder(root), findings);
        INFO((conversions ? std::string() : conversions.error().to_string()));
        REQUIRE(conversions.has_value());
        return std::move(*conversions);
    }

    build::Plan plan() {
        build::PlanInputs inputs{root, root / ".kbuild/work", root / ".kbuild/include"};
        inputs.conversions = convert();
        return build::make_plan(config, set, inputs, findings);
    }
};

/// The sources that the tree of ROCm compiles, relative to the project.
std::vector<std::string> device_sources(const build::Plan& plan, const fs::path& root) {
    std::vector<std::string> sources;
    for (const auto& library : plan.trees.back().libraries)
        for (const auto& source : library.sources)
            sources.push_back(fs::path(source.path).lexically_relative(root).generic_string());
    std::sort(sources.begin(), sources.end());
    return sources;
}

} // namespace

TEST_CASE("a section with CUDA sources is converted for each torch, one of HIP sources never",
          "[compilers]") {
    Fixture fixture;
    const auto conversions = fixture.convert();
    REQUIRE(conversions.size() == 2);
    CHECK(conversions[0].section == "relu");
    CHECK(conversions[0].torch == "torch@2.13");
    CHECK(conversions[1].torch == "torch@2.14");
    CHECK_FALSE(support::path_exists(fixture.root / ".kbuild/hipify/plain"));
    CHECK_FALSE(fixture.findings.has_errors());
}

TEST_CASE("included headers of the project are converted too, listed or not", "[compilers]") {
    Fixture fixture;
    const auto conversions = fixture.convert();
    REQUIRE(conversions[0].tree.files.size() == 2);
    CHECK(conversions[0].tree.files[1].input == "relu_cuda/relu.cuh");
    CHECK(conversions[0].tree.files[1].output == "relu_hip/relu.hiph");
}

TEST_CASE("files that `[hipify] keep` names stay as they are, headers and listed sources alike",
          "[compilers]") {
    Fixture fixture;
    fixture.keep = {"relu_cuda/*.cuh"};
    auto conversions = fixture.convert();
    REQUIRE(conversions[0].tree.files.size() == 1);
    CHECK(conversions[0].tree.files[0].input == "relu_cuda/relu.cu");
    CHECK(support::read_file(conversions[0].tree.root / "relu_cuda/relu.cuh").value() ==
          support::read_file(fixture.root / "relu_cuda/relu.cuh").value());
    fixture.keep = {"relu_cuda/*"};
    CHECK(device_sources(fixture.plan(), fixture.root) ==
          std::vector<std::string>{"plain/plain.hip", "relu_cuda/relu.cu"});
}

TEST_CASE("sources that all torches convert alike are compiled once for a ROCm", "[compilers]") {
    Fixture fixture;
    const auto plan = fixture.plan();
    CHECK(plan.compiles.device == 2);
    CHECK(plan.compiles.device_torch == 0);
    CHECK(device_sources(plan, fixture.root) ==
          std::vector<std::string>{".kbuild/hipify/relu/torch213/relu_hip/relu.hip",
                                   "plain/plain.hip"});
}

TEST_CASE("sources that torches convert differently are compiled for each pair", "[compilers]") {
    Fixture fixture;
    Fixture::write(fixture.root / "relu_cuda/relu.cu", "#include <cuda_runtime.h> // VERSION\n");
    const auto plan = fixture.plan();
    CHECK(plan.compiles.device == 1);
    CHECK(plan.compiles.device_torch == 2);
    CHECK(device_sources(plan, fixture.root) ==
          std::vector<std::string>{".kbuild/hipify/relu/torch213/relu_hip/relu.hip",
                                   ".kbuild/hipify/relu/torch214/relu_hip/relu.hip",
                                   "plain/plain.hip"});
}

TEST_CASE("K0401: a torch without a converter is named with the command that gets one",
          "[compilers]") {
    Fixture fixture;
    fixture.torch[1].hipify.reset();
    fixture.convert();
    REQUIRE(fixture.findings.sorted().size() == 1);
    const auto finding = fixture.findings.sorted().front();
    CHECK(finding.code == "K0401");
    CHECK(support::contains(finding.message, "torch@2.14"));
    CHECK(finding.help == std::vector<std::string>{"kbuild toolchain add torch@2.14"});
}

TEST_CASE("K0404: two sources that meet in one name are both named", "[compilers]") {
    Fixture fixture;
    fixture.add_kernel("twice", {"relu_cuda/relu.cu", "relu_hip/relu.hip"});
    Fixture::write(fixture.root / "relu_hip/relu.hip", "");
    fixture.convert();
    REQUIRE(fixture.findings.sorted().size() == 1);
    const auto finding = fixture.findings.sorted().front();
    CHECK(finding.code == "K0404");
    CHECK(finding.message == "`relu_hip/relu.hip` and `relu_cuda/relu.cu` are both "
                             "`relu_hip/relu.hip` after the conversion to HIP");
}
