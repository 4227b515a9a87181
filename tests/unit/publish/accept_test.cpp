#include "kbuild/publish/accept.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using publish::Machine;

namespace {

model::Version version(const char* text) {
    return *model::Version::parse(text);
}

Machine rocm_machine() {
    return {.torch = version("2.13"),
            .backend = model::Backend::rocm,
            .backend_version = version("7.2")};
}

/// `+name` for accepted, `-name` for rejected variants, in order.
std::vector<std::string> decided(const std::vector<const char*>& names, const Machine& machine) {
    std::vector<model::Variant> variants;
    for (const auto* const name : names)
        variants.push_back(*model::Variant::parse(name));
    std::vector<std::string> all;
    for (const auto& decision : publish::decide(std::move(variants), machine))
        all.push_back((decision.accepted ? "+" : "-") + decision.variant.name());
    return all;
}

std::string reason(const char* name, const Machine& machine) {
    return publish::decide({*model::Variant::parse(name)}, machine).front().reason;
}

} // namespace

TEST_CASE("torch, C++ ABI, CPU, OS and the exact ROCm version must be the same") {
    const auto here = rocm_machine();
    CHECK(reason("torch213-cxx11-rocm72-x86_64-linux", here).empty());
    CHECK(reason("torch214-cxx11-rocm72-x86_64-linux", here) ==
          "is for torch 2.14, here is torch 2.13");
    CHECK(reason("torch213-cxx98-rocm72-x86_64-linux", here) == "is for the C++ ABI cxx98");
    CHECK(reason("torch213-cxx11-rocm71-x86_64-linux", here) == "is for rocm71, here is rocm72");
    CHECK(reason("torch213-cxx11-cpu-x86_64-linux", here) == "is for cpu, here is rocm72");
    CHECK(reason("torch213-cxx11-rocm72-aarch64-linux", here) == "is for aarch64, here is x86_64");
    CHECK(reason("torch213-cxx11-rocm72-x86_64-windows", here) == "is for windows, here is linux");
    CHECK(reason("torch213-cxx11-rocm72-x86_64-linux", {}) ==
          "is for torch 2.13, here is no torch");
}

TEST_CASE("the Python decides first: too old for the loader, or without a stable ABI") {
    auto here = rocm_machine();
    here.python = version("3.9");
    CHECK(reason("torch214-cxx11-rocm72-x86_64-linux", here) ==
          "the loader needs Python 3.10 or newer, here is 3.9");
    CHECK_FALSE(reason("torch-universal", here).empty());
    here.python = version("3.14");
    here.free_threaded = true;
    CHECK(reason("torch214-cxx11-rocm72-x86_64-linux", here) ==
          "free-threaded Python 3.14 has no stable ABI");
    CHECK(reason("torch-rocm", here).empty()); // nothing is compiled
    here.python = version("3.15");
    CHECK(reason("torch213-cxx11-rocm72-x86_64-linux", here).empty());
    CHECK(here.to_string() == "Python 3.15t, torch 2.13, rocm 7.2, x86_64-linux");
}

TEST_CASE("a stable ABI takes newer torch versions, CUDA older minor versions") {
    const auto here = rocm_machine();
    CHECK(reason("torch-stable-abi210-rocm72-x86_64-linux", here).empty());
    CHECK(reason("torch-stable-abi214-rocm72-x86_64-linux", here) ==
          "needs torch 2.14 or newer, here is torch 2.13");
    Machine cuda{.torch = version("2.13"),
                 .backend = model::Backend::cuda,
                 .backend_version = version("12.8")};
    CHECK(reason("torch213-cxx11-cu126-x86_64-linux", cuda).empty());
    CHECK_FALSE(reason("torch213-cxx11-cu130-x86_64-linux", cuda).empty());
}

TEST_CASE("variants without compiled code need the backend's name, or are universal") {
    const auto here = rocm_machine();
    CHECK(reason("torch-rocm", here).empty());
    CHECK(reason("torch-universal", here).empty());
    CHECK(reason("torch-cuda", here) == "is for cuda, here is rocm");
}

TEST_CASE("the loader's order of preference") {
    CHECK(decided({"torch-universal",
                   "torch-rocm",
                   "torch213-cxx11-rocm71-x86_64-linux",
                   "torch213-cxx11-rocm72-x86_64-linux",
                   "torch-stable-abi29-rocm72-x86_64-linux",
                   "torch-stable-abi210-rocm72-x86_64-linux"},
                  rocm_machine()) ==
          std::vector<std::string>{"+torch-stable-abi210-rocm72-x86_64-linux",
                                   "+torch-stable-abi29-rocm72-x86_64-linux",
                                   "+torch213-cxx11-rocm72-x86_64-linux",
                                   "+torch-rocm",
                                   "+torch-universal",
                                   "-torch213-cxx11-rocm71-x86_64-linux"});
}
