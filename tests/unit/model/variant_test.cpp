#include "kbuild/model/variant.hpp"

#include <catch2/catch.hpp>

#include <vector>

using kbuild::model::Backend;
using kbuild::model::Variant;
using kbuild::model::Version;

TEST_CASE("a ROCm variant has the name that upstream's loader looks for") {
    Variant variant;
    variant.framework_version = Version({2, 13});
    variant.cxx_abi = "cxx11";
    variant.backend = Backend::rocm;
    variant.backend_version = Version({7, 2});
    variant.cpu = "x86_64";
    variant.os = "linux";
    CHECK(variant.name() == "torch213-cxx11-rocm72-x86_64-linux");
    CHECK(Variant::parse(variant.name()) == variant);
}

TEST_CASE("parsing a name and writing it again gives the same name, for the whole grammar") {
    const std::vector<std::string> computes = {"cpu",
                                               "metal",
                                               "neuron",
                                               "tpu",
                                               "cu126",
                                               "cu132",
                                               "rocm64",
                                               "rocm70",
                                               "xpu20253",
                                               "cann85"};
    std::vector<std::string> names = {"torch-cpu", "torch-rocm", "torch-npu", "torch-universal"};
    for (const auto* framework : {"torch28-cxx11",
                                  "torch213-cxx11",
                                  "torch213-cxx98",
                                  "torch213",
                                  "torch-stable-abi211",
                                  "tvm-ffi01"})
        for (const auto& compute : computes)
            for (const auto* machine :
                 {"x86_64-linux", "aarch64-linux", "aarch64-darwin", "x86_64-windows"})
                names.push_back(std::string(framework) + "-" + compute + "-" + machine);
    for (const auto& name : names) {
        const auto variant = Variant::parse(name);
        REQUIRE(variant);
        CHECK(variant->name() == name);
    }
}

TEST_CASE("digits are split as upstream's reader splits them") {
    CHECK(Variant::parse("torch213-cxx11-rocm72-x86_64-linux")->framework_version ==
          Version({2, 13}));
    CHECK(Variant::parse("torch213-cxx11-rocm72-x86_64-linux")->backend_version == Version({7, 2}));
    // The last digit is the minor: rocm710 reads as 71.0 there too.
    CHECK(Variant::parse("torch213-cxx11-rocm710-x86_64-linux")->backend_version ==
          Version({71, 0}));
    CHECK(Variant::parse("torch213-cxx11-xpu20253-x86_64-linux")->backend_version ==
          Version({2025, 3}));
}

TEST_CASE("what is not of the grammar is no variant") {
    for (const auto* name : {"",
                             "torch",
                             "torch-",
                             "torch2-cxx11-cpu-x86_64-linux",
                             "torch213",
                             "torch213-cpu-x86_64",
                             "torch213-cxx11-rocm-x86_64-linux",
                             "torch213-cxx11-rocm7-x86_64-linux",
                             "torch213-cxx11-gpu-x86_64-linux",
                             "torch213-cxx12-cpu-x86_64-linux",
                             "torch213-cxx11-cpu-riscv-linux",
                             "torch213-cxx11-cpu-x86_64-plan9",
                             "torch213-cxx11-cpu-x86_64-linux-extra",
                             "torch-stable-abi211-cxx11-cpu-x86_64-linux",
                             "torch-unknown",
                             "build",
                             "torchx13-cxx11-cpu-x86_64-linux"})
        CHECK_FALSE(Variant::parse(name));
}

TEST_CASE("noarch names are the backends, npu and universal") {
    CHECK(Variant::parse("torch-rocm")->backend == Backend::rocm);
    CHECK(Variant::parse("torch-universal")->framework == Variant::Framework::noarch);
    CHECK(Variant::parse("torch-universal")->cpu.empty());
}
