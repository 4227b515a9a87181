#include "device_code_builder.hpp"

#include "kbuild/build/stage.hpp"
#include "kbuild/config/load.hpp"
#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
namespace fs = std::filesystem;

namespace {

constexpr const char* kBuildToml = R"([general]
name = "gemm"
version = 1
edition = 5
license = "MIT"
backends = ["rocm"]

[torch]
src = ["binding.cpp"]

[kernel.gemm]
backend = "rocm"
depends = ["torch"]
rocm-archs = ["gfx942"]
src = ["gemm.hip"]
)";

/// A project whose library is linked already; its kernel has 52 VGPRs and spills.
class LinkedProject {
  public:
    LinkedProject() {
        write("build.toml", kBuildToml);
        write("binding.cpp", "");
        write("gemm.hip", "");
        write("torch-ext/gemm/__init__.py", "from ._ops import ops\n");
        test::ElfImage image;
        image.needed = {"libtorch_cpu.so", "libamdhip64.so.7", "libc.so.6"};
        image.symbols = {{"PyInit__gemm_rocm_abc", true}};
        image.sections = {{".hip_fatbin",
                           SHT_PROGBITS,
                           test::hip_bundle({{"gfx942", test::code_object("gfx942", {"gemm"})}})}};
        write("_gemm_rocm_abc.abi3.so", test::build_elf(image));
    }

    fs::path variant() const { return root() / "build" / kName; }

    /// Codes of the errors.
    std::vector<std::string> stage(const model::Budget& budget) const {
        diag::Collector findings;
        const auto config = config::parse_build_config("build.toml", kBuildToml, findings);
        REQUIRE(config);
        build::PlannedVariant planned;
        planned.selected.variant = *model::Variant::parse(kName);
        planned.ops_id = "_gemm_rocm_abc";
        planned.library = root() / "_gemm_rocm_abc.abi3.so";
        planned.archs = {*model::GfxArch::parse("gfx942")};
        build::StageInputs inputs;
        inputs.root = root();
        inputs.budgets = {budget};
        const auto folder = build::work_folder(root());
        REQUIRE(build::prepare(folder));
        const auto published = build::stage_and_publish(planned, *config, folder, inputs, findings);
        REQUIRE(published);
        CHECK(published->has_value() == !findings.has_errors());
        std::vector<std::string> codes;
        for (const auto& finding : findings.sorted())
            if (finding.severity == diag::Severity::error) {
                codes.push_back(finding.code);
                CHECK(support::contains(finding.message, std::string(kName)));
            }
        return codes;
    }

  private:
    static constexpr const char* kName = "torch213-cxx11-rocm72-x86_64-linux";
    fs::path root() const { return dir_.path(); }
    void write(const char* file, const std::string& text) const {
        REQUIRE(support::write_file_atomically(root() / file, text));
    }
    support::TempDir dir_ = *support::TempDir::create(fs::temp_directory_path(), "kbuild-stage-");
};

} // namespace

TEST_CASE("a variant within its budgets is published, with its provenance") {
    const LinkedProject project;
    model::Budget budget;
    budget.vgprs = 52;
    budget.scratch = 20;
    budget.size = 1 << 20;
    CHECK(project.stage(budget).empty());
    CHECK(support::is_file(project.variant() / layout::kProvenanceName));
}

TEST_CASE("what exceeds a budget is an error, and nothing is published") {
    const LinkedProject project;
    model::Budget budget;
    budget.vgprs = 51;
    budget.spills = 3;
    budget.size = 100;
    CHECK(project.stage(budget) == std::vector<std::string>{"K0730", "K0731", "K0734"});
    CHECK_FALSE(support::path_exists(project.variant()));
}

TEST_CASE("a variant that is there stays as it was when a new one exceeds its budget") {
    const LinkedProject project;
    CHECK(project.stage({}).empty());
    const auto before = layout::digest_folder(project.variant());
    model::Budget budget;
    budget.lds = 0;
    CHECK(project.stage(budget) == std::vector<std::string>{"K0732"});
    CHECK(*layout::digest_folder(project.variant()) == *before);
}
