#include "kbuild/build/missing_headers.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
namespace fs = std::filesystem;

namespace {

/// A kernel of one HIP file and a ROCm with few headers.
struct HeaderFixture {
    support::TempDir folder =
        support::TempDir::create(fs::temp_directory_path(), "kbuild-headers-").value();
    fs::path root = folder.path() / "project";
    config::BuildConfig config;
    model::RocmSdk rocm;
    model::TorchSdk torch;

    explicit HeaderFixture(const std::string& text, const std::string& name = "k/k.hip") {
        write(root / name, text);
        config.general.name.value = *model::KernelName::parse("my-kernel");
        config::KernelComponent kernel;
        kernel.name = "k";
        kernel.backend = model::Backend::rocm;
        kernel.src = {{name, {}}};
        config.kernels.push_back(kernel);
        rocm.version = *model::Version::parse("5.7");
        rocm.provider = "apt";
        rocm.include = folder.path() / "rocm/include";
        write(rocm.include / "hip/hip_runtime.h", "");
        torch.version = *model::Version::parse("2.14.1");
        torch.rocm_include = {folder.path() / "torch/rocm_include"};
        torch.include = {folder.path() / "torch/include"};
        write(torch.include[0] / "ATen/cuda/CUDAContext.h", "#include <cusparse.h>\n");
        write(torch.rocm_include[0] / "ATen/hip/HIPContext.h",
              "#pragma once\n#include <ATen/hip/HIPContextLight.h>\n");
        write(torch.rocm_include[0] / "ATen/hip/HIPContextLight.h",
              "#if !defined(TORCH_STABLE_ONLY) && !defined(TORCH_TARGET_VERSION)\n#pragma once\n"
              "#include <hip/hip_runtime.h>\n#include <ATen/hip/HIPContext.h>\n"
              "#include <hipblaslt/hipblaslt.h>\n#endif\n");
        write(torch.rocm_include[0] / "c10/hip/HIPGuard.h", "#include <hip/hip_runtime.h>\n");
    }

    static void write(const fs::path& path, const std::string& text) {
        REQUIRE(support::write_file_atomically(path, text));
    }

    std::string missing() const {
        const auto found = build::missing_header(config, root, rocm, torch);
        return found ? found->header : std::string();
    }

    matrix::BuildSet rule_out(const config::Settings& settings, bool require_all) const {
        matrix::BuildSet set;
        matrix::Selected selected;
        selected.variant.backend = model::Backend::rocm;
        selected.torch = &torch;
        selected.rocm = &rocm;
        set.selected = {selected};
        selected.variant.backend = model::Backend::cpu;
        selected.rocm = nullptr;
        set.selected.push_back(selected);
        build::rule_out_missing_headers(config, settings, root, require_all, set);
        return set;
    }
};

} // namespace

TEST_CASE("a header that the SDK lacks is found, one that it has is none") {
    CHECK(HeaderFixture("#include <hip/hip_runtime.h>\n").missing().empty());
    CHECK(HeaderFixture("#include <hip/hip_runtime.h>\n#include <hip/hip_fp8.h>\n").missing() ==
          "hip/hip_fp8.h");
}

TEST_CASE("it is found through the project's headers, inside a guard, and by what rocm defines") {
    HeaderFixture fixture("#include \"k.h\"\n");
    HeaderFixture::write(fixture.root / "k/k.h",
                         "#ifndef K_K_H_\n#define K_K_H_\n#include <hip/hip_fp8.h>\n#endif\n");
    CHECK(fixture.missing() == "hip/hip_fp8.h");
    CHECK(
        build::missing_header(fixture.config, fixture.root, fixture.rocm, fixture.torch)->source ==
        "k/k.h");
    CHECK(HeaderFixture("#ifdef USE_ROCM\n#include <hip/hip_fp8.h>\n#endif\n").missing() ==
          "hip/hip_fp8.h");
}

TEST_CASE("what stands under a condition that nobody knows, or that does not hold, is not judged") {
    CHECK(HeaderFixture("#if HIP_VERSION >= 60200000\n#include <hip/hip_fp8.h>\n#endif\n")
              .missing()
              .empty());
    CHECK(HeaderFixture("#ifndef USE_ROCM\n#include <hip/hip_fp8.h>\n#endif\n").missing().empty());
}

TEST_CASE("headers of the project and CUDA sources are not judged") {
    HeaderFixture own("#include \"hip/own.h\"\n");
    HeaderFixture::write(own.root / "k/hip/own.h", "");
    CHECK(own.missing().empty());
    CHECK(HeaderFixture("#include <hip/hip_fp8.h>\n", "k/k.cu").missing().empty());
}

TEST_CASE("what torch's own headers for HIP include is needed, of CUDA sources as converted") {
    const char* const kNeeded = "hipblaslt/hipblaslt.h";
    const HeaderFixture cuda("#include <ATen/cuda/CUDAContext.h>\n", "k/k.cu");
    CHECK(cuda.missing() == kNeeded);
    CHECK(HeaderFixture("#include <ATen/hip/HIPContext.h>\n").missing() == kNeeded);
    CHECK(HeaderFixture("#include <c10/cuda/CUDAGuard.h>\n", "k/k.cu").missing().empty());
    CHECK(cuda.rule_out({}, false).excluded.at(0).reason ==
          "ROCm 5.7 has no `hipblaslt/hipblaslt.h`, which torch 2.14 needs for "
          "`ATen/hip/HIPContextLight.h`, which `k/k.cu` includes");
    HeaderFixture::write(cuda.rocm.include / kNeeded, "");
    CHECK(cuda.missing().empty());
}

TEST_CASE("with torch's stable ABI its headers for HIP include nothing") {
    HeaderFixture stable("#include <ATen/hip/HIPContext.h>\n");
    stable.config.framework.stable_abi[model::Backend::rocm] = *model::Version::parse("2.14");
    CHECK(stable.missing().empty());
}

TEST_CASE("a variant without the header is left out with the reason, others stay") {
    const HeaderFixture fixture("#include <hip/hip_fp8.h>\n");
    const auto set = fixture.rule_out({}, false);
    REQUIRE(set.selected.size() == 1);
    CHECK(set.selected[0].rocm == nullptr);
    REQUIRE(set.excluded.size() == 1);
    CHECK(set.excluded[0].reason == "ROCm 5.7 has no `hip/hip_fp8.h`, which `k/k.hip` includes");
    CHECK(set.excluded[0].fix.empty());
    CHECK_FALSE(set.excluded[0].promised);
    CHECK(fixture.rule_out({}, true).excluded[0].promised);
}

TEST_CASE("a header of a library names the command that adds it") {
    const HeaderFixture fixture("#include <rocwmma/rocwmma.hpp>\n");
    CHECK(fixture.rule_out({}, false).excluded.at(0).fix ==
          "kbuild toolchain add rocm@5.7 --extra rocwmma");
}
