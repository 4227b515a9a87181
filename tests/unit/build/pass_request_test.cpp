#include "pass_request.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace kbuild::build;
using kbuild::generate::DevicePass;
using kbuild::generate::HipToolchain;
using kbuild::generate::Library;
using kbuild::generate::Source;
using kbuild::generate::Tree;
using kbuild::precompile::Pass;
using Words = std::vector<std::string>;

namespace {

struct Unit {
    Tree tree;
    Library library;
    Source source;
    DevicePass pass{"gfx942", {"-O2", "--offload-arch=gfx942", "--cuda-device-only"}};
    kbuild::sources::LeadingHeaders leading{{"hip/hip_runtime.h", "map"}, {{"OWN_H", 0}}, {}};

    Unit() {
        tree.cxx = "/sdk/clang++";
        tree.hip = HipToolchain{"/sdk", "/sdk/clang++", {}, {}, "gfx90a", {}};
        library.definitions = {"USE_ROCM=1", "ROCM_KERNEL", "TORCH_EXTENSION_NAME=x"};
        library.includes = {"/p/include"};
        library.system_includes = {"/sdk/include"};
        source.path = "/p/a.hip";
        source.options = {"-cuid=1", "-O2"};
        source.device_passes = {pass};
    }
    PassRequest device() const { return *pass_request(tree, library, source, &pass, leading); }
    PassRequest host() const { return *pass_request(tree, library, source, nullptr, leading); }
    std::string refusal_with(const Words& options) {
        library.options = options;
        return host().refusal;
    }
};

bool holds(const Words& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

} // namespace

TEST_CASE("headers behind the last one of an SDK are the unit's own affair") {
    Unit unit;
    CHECK(unit.device().request.headers == Words{"hip/hip_runtime.h"});
    unit.leading.headers = {"map", "vector"};
    CHECK_FALSE(pass_request(unit.tree, unit.library, unit.source, nullptr, unit.leading));
}

TEST_CASE("a device pass is precompiled for its architecture, a host pass for the tree's first") {
    Unit unit;
    CHECK(unit.device().request.pass == Pass::hip_device);
    CHECK(holds(unit.device().request.options, "--offload-arch=gfx942"));
    CHECK(unit.host().request.pass == Pass::hip_host);
    CHECK(holds(unit.host().request.options, "--offload-arch=gfx90a"));
    CHECK_FALSE(holds(unit.host().request.options, "--offload-arch=gfx942"));
}

TEST_CASE("a unit without passes that is compiled for architectures cannot use any") {
    Unit unit;
    unit.source.device_passes.clear();
    CHECK(unit.host().request.pass == Pass::cxx);
    CHECK(unit.host().refusal.empty());
    unit.source.options.emplace_back("--offload-arch=gfx942");
    CHECK(unit.host().refusal == "one command compiles both of its halves");
}

TEST_CASE("folders of SDKs and what decides about code go into the request") {
    Unit unit;
    unit.library.options = {"-std=c++20", "-ffast-math", "-ffile-prefix-map=/sdk=/rocm"};
    const auto request = unit.host().request;
    for (const auto* const option : {"-std=c++20",
                                     "-ffast-math",
                                     "-ffile-prefix-map=/sdk=/rocm",
                                     "-O2",
                                     "-O3",
                                     "-fPIC",
                                     "-DNDEBUG",
                                     "-DUSE_ROCM=1",
                                     "-isystem",
                                     "/sdk/include"}) {
        CAPTURE(option);
        CHECK(holds(request.options, option));
    }
    CHECK(unit.host().roots == Words{"/sdk/include"});
}

TEST_CASE("what names the unit or the project stays out, so that projects share") {
    Unit unit;
    unit.library.options = {"-DOWN=1", "-I/p/more", "-ffile-prefix-map=/p=.", "-Wall", "-w"};
    const auto host = unit.host();
    for (const auto* const option : {"-cuid=1",
                                     "-DOWN=1",
                                     "-I/p/more",
                                     "-ffile-prefix-map=/p=.",
                                     "-Wall",
                                     "-w",
                                     "-DROCM_KERNEL"}) {
        CAPTURE(option);
        CHECK_FALSE(holds(host.request.options, option));
    }
    CHECK(host.left_out == Words{"-DROCM_KERNEL", "-DTORCH_EXTENSION_NAME=x", "-DOWN=1"});
    CHECK(host.folders == Words{"/p/include", "/p/more"});
    CHECK(host.macros == std::vector<kbuild::sources::EarlyMacro>{{"OWN_H", 0}});
}

TEST_CASE("options that stand before the headers refuse") {
    Unit unit;
    for (const std::string option : {"-include",
                                     "-UNDEBUG",
                                     "-isystem",
                                     "-iquote",
                                     "-nostdinc++",
                                     "-D",
                                     "-I",
                                     "-Xclang",
                                     "-Xarch_device",
                                     "-Wp,-DX"}) {
        CAPTURE(option);
        CHECK(unit.refusal_with({option, "x"}) == "`" + option + "` stands before its headers");
    }
    CHECK(unit.refusal_with({"-O1"}).empty());
}

TEST_CASE("options that record the source beside the code refuse") {
    Unit unit;
    for (const std::string option : {"-g",
                                     "-ggdb",
                                     "-g1",
                                     "-gline-tables-only",
                                     "-fcoverage-mapping",
                                     "-fprofile-instr-generate",
                                     "--coverage"}) {
        CAPTURE(option);
        unit.library.options = {option};
        CHECK(unit.host().refusal == "`" + option + "` records less of precompiled headers");
    }
    unit.library.options = {"-g0"};
    CHECK(unit.host().refusal.empty());
}

TEST_CASE("what clang 17 misreads from C++20 on is not precompiled for HIP") {
    Unit unit;
    unit.tree.hip->bundler = kbuild::generate::Bundler{"/sdk/bundler", {}, "host-x86_64", 17};
    CHECK(unit.refusal_with({"-std=c++17"}).empty());
    CHECK(unit.refusal_with({"-std=gnu++20"}).find("clang before 18") != std::string::npos);
    unit.tree.hip->bundler->clang = 18;
    CHECK(unit.refusal_with({"-std=c++20"}).empty());
}

TEST_CASE("a driver precompiles with its environment") {
    Unit unit;
    unit.tree.hip->driver = "/sdk/bin/hipcc";
    unit.tree.hip->driver_environment = {"ROCM_PATH=/my=sdk"};
    CHECK(unit.device().request.compiler == "/sdk/bin/hipcc");
    CHECK(unit.device().request.environment.at("ROCM_PATH") == "/my=sdk");
    unit.source.device_passes.clear();
    CHECK(unit.host().request.compiler == "/sdk/clang++");
}

TEST_CASE("a macro's name ends at its value or parameters") {
    CHECK(name_of_macro("-DA") == "A");
    CHECK(name_of_macro("-DA=1") == "A");
    CHECK(name_of_macro("-DA(x)=x=1") == "A");
}
