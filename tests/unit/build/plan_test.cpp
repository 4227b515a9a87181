#include "kbuild/build/plan.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

using namespace kbuild;

namespace {

/// A project with two torch-free device files, one binding and a CPU file, and a matrix of fake
/// SDKs.
struct Fixture {
    support::TempDir folder =
        *support::TempDir::create(std::filesystem::temp_directory_path(), "kbuild-plan-");
    config::BuildConfig config;
    std::vector<model::TorchSdk> torch;
    std::vector<model::RocmSdk> rocm;
    matrix::BuildSet set;
    build::PlanInputs inputs;

    Fixture() {
        write("k/a.hip", "#include <hip/hip_runtime.h>\n");
        write("k/b.hip", "#include <hip/hip_runtime.h>\n");
        write("k/k.h", "\n");
        write("c/c.cpp", "\n");
        write("torch-ext/binding.cpp", "#include <torch/library.h>\n");
        config.general.name.value = *model::KernelName::parse("my-kernel");
        config.framework.src = strings({"torch-ext/binding.cpp"});
        add_kernel("dev", model::Backend::rocm, {"k/a.hip", "k/b.hip", "k/k.h"});
        config.kernels.back().rocm_archs = {{*model::GfxArch::parse("gfx942"), {}}};
        add_kernel("host", model::Backend::cpu, {"c/c.cpp"});
        for (const auto* version : {"2.13", "2.14"})
            torch.push_back(torch_sdk(version));
        for (const auto* version : {"6.4", "7.2"})
            rocm.push_back(rocm_sdk(version));
        select_all();
        inputs = {folder.path(), folder.path() / ".kbuild/work", folder.path() / ".kbuild/include"};
        inputs.unique_id = "1234567";
        inputs.tools.cxx = "/usr/bin/g++";
    }

    void write(const std::string& path, const std::string& text) {
        REQUIRE(support::write_file_atomically(folder.path() / path, text));
    }

    static config::Strings strings(const std::vector<std::string>& values) {
        config::Strings result;
        for (const auto& value : values)
            result.push_back({value, {}});
        return result;
    }

    void add_kernel(const std::string& name,
                    model::Backend backend,
                    const std::vector<std::string>& src) {
        config::KernelComponent kernel;
        kernel.name = name;
        kernel.backend = backend;
        kernel.src = strings(src);
        config.kernels.push_back(kernel);
    }

    static model::TorchSdk torch_sdk(const std::string& version) {
        model::TorchSdk sdk;
        sdk.name = "torch@" + version;
        sdk.version = *model::Version::parse(version);
        sdk.root = "/sdk/torch-" + version;
        sdk.stub_dir = sdk.root / "stubs";
        return sdk;
    }

    model::RocmSdk rocm_sdk(const std::string& version) {
        model::RocmSdk sdk;
        sdk.name = "rocm@" + version;
        sdk.version = *model::Version::parse(version);
        sdk.root = "/sdk/rocm-" + version;
        sdk.clang = sdk.root / "llvm/bin/clang++";
        sdk.hipcc = sdk.root / "bin/hipcc";
        sdk.bitcode = folder.path() / ("bitcode-" + version);
        write("bitcode-" + version + "/oclc_isa_version_942.bc", "bc");
        return sdk;
    }

    void add(const model::TorchSdk& t, const model::RocmSdk* r) {
        matrix::Selected selected;
        selected.variant.cxx_abi = "cxx11";
        selected.variant.framework_version = t.short_version();
        selected.variant.backend = r ? model::Backend::rocm : model::Backend::cpu;
        if (r)
            selected.variant.backend_version = r->short_version();
        selected.variant.cpu = "x86_64";
        selected.variant.os = "linux";
        selected.torch = &t;
        selected.rocm = r;
        set.selected.push_back(selected);
    }

    void select_all() {
        for (const auto& t : torch) {
            add(t, nullptr);
            for (const auto& r : rocm)
                add(t, &r);
        }
    }

    build::Plan plan(diag::Collector& findings) {
        return build::make_plan(config, set, inputs, findings);
    }
    build::Plan plan() {
        diag::Collector findings;
        auto result = plan(findings);
        CHECK_FALSE(findings.has_errors());
        return result;
    }
};

const generate::Tree& tree(const build::Plan& plan, const std::string& name) {
    return *std::find_if(
        plan.trees.begin(), plan.trees.end(), [&](const auto& t) { return t.name == name; });
}

bool has_option(const std::vector<std::string>& options, const std::string& option) {
    return std::find(options.begin(), options.end(), option) != options.end();
}

} // namespace

TEST_CASE("torch-free device files are compiled once per ROCm, bindings once per torch") {
    Fixture fixture;
    const auto plan = fixture.plan();
    CHECK(plan.variants.size() == 6);
    CHECK(plan.compiles.device == 2 * 2); // two files, two ROCm
    CHECK(plan.compiles.device_torch == 0);
    CHECK(plan.compiles.binding == 2); // one binding, two torch
    CHECK(plan.compiles.cpu == 2 + 1); // its binding per torch, its torch-free file once
    CHECK(plan.compiles.total() == 9);
}

TEST_CASE(
    "ten device files and a binding for three torches and two ROCms: 20 + 3 compiles, not 66") {
    Fixture fixture;
    fixture.torch.push_back(Fixture::torch_sdk("2.15"));
    fixture.set.selected.clear();
    for (const auto& torch : fixture.torch)
        for (const auto& rocm : fixture.rocm)
            fixture.add(torch, &rocm);
    fixture.config.kernels[0].src.clear();
    for (int number = 0; number < 10; ++number) {
        const auto name = fmt::format("k/kernel{}.hip", number);
        fixture.write(name, "#include <hip/hip_runtime.h>\n");
        fixture.config.kernels[0].src.push_back({name, {}});
    }
    const auto plan = fixture.plan();
    CHECK(plan.variants.size() == 6);
    CHECK(plan.compiles.device == 10 * 2);
    CHECK(plan.compiles.binding == 3);
    CHECK(plan.compiles.total() == 23);
    std::size_t sources = 0;
    for (const auto& tree : plan.trees)
        for (const auto& library : tree.libraries)
            sources += library.sources.size();
    CHECK(sources == plan.compiles.total());
}

TEST_CASE("there is one tree for the host compiler and one per ROCm") {
    Fixture fixture;
    const auto plan = fixture.plan();
    REQUIRE(plan.trees.size() == 3);
    CHECK(plan.trees[0].name == "host");
    CHECK(plan.trees[0].modules.size() == 6);
    CHECK_FALSE(plan.trees[0].hip);
    CHECK(plan.trees[1].name == "rocm64");
    CHECK(plan.trees[2].name == "rocm72");
    CHECK(plan.trees[1].hip->driver == "/sdk/rocm-6.4/bin/hipcc");
}

TEST_CASE("a device file that includes torch is compiled once per pair") {
    Fixture fixture;
    fixture.write("k/b.hip", "#include <torch/all.h>\n");
    const auto plan = fixture.plan();
    CHECK(plan.compiles.device == 2);
    CHECK(plan.compiles.device_torch == 4);
}

TEST_CASE("a binding that includes HIP is compiled by each ROCm's own compiler") {
    Fixture fixture;
    fixture.write("torch-ext/binding.cpp",
                  "#include <torch/library.h>\n#include <hip/hip_runtime.h>\n");
    const auto plan = fixture.plan();
    CHECK(plan.compiles.binding == 0);
    CHECK(plan.compiles.device_torch == 4);
}

TEST_CASE("each HIP unit has archs, a stable id of its own and this SDK's headers first") {
    Fixture fixture;
    const auto plan = fixture.plan();
    const auto& library = tree(plan, "rocm64").libraries.at(0);
    REQUIRE(library.sources.size() == 2);
    CHECK(has_option(library.sources[0].options, "--offload-arch=gfx942"));
    CHECK(has_option(library.sources[0].options, "-mcode-object-version=5"));
    const auto cuid = [](const generate::Source& source) {
        return *std::find_if(source.options.begin(), source.options.end(), [](const auto& option) {
            return option.starts_with("-cuid=");
        });
    };
    CHECK(cuid(library.sources[0]) != cuid(library.sources[1]));
    CHECK(cuid(library.sources[0]) == cuid(tree(plan, "rocm72").libraries.at(0).sources[0]));
}

TEST_CASE("archs are those of build.toml; without them upstream's as far as the SDK has them, and "
          "the rest is said") {
    Fixture fixture;
    CHECK(model::to_string(fixture.plan().variants[1].archs) == "gfx942");
    fixture.config.kernels[0].rocm_archs.clear();
    const auto plan = fixture.plan();
    CHECK(model::to_string(plan.variants[1].archs) == "gfx942");
    REQUIRE_FALSE(plan.notes.empty());
    CHECK(plan.notes[0].find("gfx90a") != std::string::npos);
}

TEST_CASE("an arch of build.toml that the SDK lacks is an error with its place") {
    Fixture fixture;
    fixture.config.kernels[0].rocm_archs.push_back({*model::GfxArch::parse("gfx1250"), {}});
    diag::Collector findings;
    fixture.plan(findings);
    REQUIRE(findings.count(diag::Severity::error) == 2); // one per SDK
    CHECK(findings.sorted()[0].code == "K0403");
}

TEST_CASE(
    "where Ninja misreads the project's path and no cache helps, dependencies are made relative") {
    Fixture fixture;
    CHECK(tree(fixture.plan(), "host").launcher.empty());
    fixture.inputs.root = "/home/o'neill/kernel";
    const std::vector<std::string> expected{
        "env", "CCACHE_BASEDIR=/home/o'neill/kernel", "../trees/rocm64/relative-dependencies"};
    const auto plan = fixture.plan();
    CHECK(tree(plan, "rocm64").launcher == expected);
    CHECK(generate::tree_files(tree(plan, "host")).count("relative-dependencies") == 1);
    fixture.inputs.cache.program = "/usr/bin/ccache";
    const auto cached = tree(fixture.plan(), "host").launcher;
    CHECK(cached.at(2) == "../trees/host/relative-dependencies");
    CHECK(cached.back() == "/usr/bin/ccache");
}

TEST_CASE("device code for the host compiler is refused") {
    Fixture fixture;
    fixture.config.kernels[1].src = Fixture::strings({"k/a.hip"});
    diag::Collector findings;
    fixture.plan(findings);
    REQUIRE(findings.has_errors());
    CHECK(findings.sorted()[0].code == "K0402");
}

TEST_CASE("torch's libraries are linked behind all others, the largest last") {
    Fixture fixture;
    const auto plan = fixture.plan();
    const auto& module = plan.trees.front().modules.front();
    std::vector<std::string> names;
    for (const auto& file : module.link_files)
        names.push_back(std::filesystem::path(file).filename().string());
    REQUIRE(names.size() > 5);
    CHECK(std::vector<std::string>(names.begin(), names.begin() + 4) ==
          std::vector<std::string>{"-lm", "-lgcc_s", "-lgcc", "-lc"});
    CHECK(names.back() == "libtorch_cpu.so");
    CHECK(std::count(module.link_options.begin(), module.link_options.end(), "-nodefaultlibs") ==
          1);
}

TEST_CASE("the plan can be read") {
    Fixture fixture;
    const auto text = build::describe(fixture.plan());
    CHECK(text.find("variant torch213-cxx11-rocm64-x86_64-linux: _my_kernel_rocm_1234567 with "
                    "torch@2.13 and rocm@6.4, archs gfx942\n") != std::string::npos);
    CHECK(text.find("9 compiles: 4 device, 0 device with torch, 2 binding, 3 cpu; 6 links\n") !=
          std::string::npos);
}

TEST_CASE("a baseline is searched before all other folders, its supplements linked before torch") {
    Fixture project;
    project.inputs.baseline = portable::Baseline{"/store/baseline", {"/store/baseline/cxx.a"}};
    diag::Collector findings;
    const auto plan = build::make_plan(project.config, project.set, project.inputs, findings);
    const auto& module = plan.trees.front().modules.front();
    CHECK(module.link_options.front() == "-L/store/baseline");
    CHECK(module.link_files.front() == "/store/baseline/cxx.a");
    project.inputs.baseline.reset();
    const auto without = build::make_plan(project.config, project.set, project.inputs, findings);
    for (const auto& option : without.trees.front().modules.front().link_options)
        CHECK_FALSE(option.starts_with("-L"));
}
