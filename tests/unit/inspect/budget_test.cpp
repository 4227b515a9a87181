#include "kbuild/inspect/budget.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using Codes = std::vector<std::string>;

namespace {

inspect::DeviceCode code_with(const std::string& name) {
    inspect::KernelResources kernel;
    kernel.name = name;
    kernel.vgprs = 136;
    kernel.lds_bytes = 1024;
    kernel.scratch_bytes = 20;
    kernel.vgpr_spills = 2;
    kernel.sgpr_spills = 1;
    inspect::DeviceCode code;
    code.objects.push_back({*model::GfxArch::parse("gfx942"), 5, 100, {kernel}});
    return code;
}

std::vector<diag::Diagnostic> findings(const std::vector<model::Budget>& budgets,
                                       const std::string& name = "gemm") {
    diag::Collector collector;
    inspect::check_budgets(code_with(name), 1000, budgets, "lib.so", collector);
    return collector.sorted();
}

Codes codes(const std::vector<model::Budget>& budgets, const std::string& name = "gemm") {
    Codes result;
    for (const auto& finding : findings(budgets, name))
        result.push_back(finding.code);
    return result;
}

model::Budget budget(std::string pattern, std::optional<std::uint64_t> vgprs) {
    model::Budget result;
    result.pattern = std::move(pattern);
    result.vgprs = vgprs;
    return result;
}

} // namespace

TEST_CASE("what is not bounded is not looked at, what is at its bound is within it") {
    CHECK(codes({}).empty());
    CHECK(codes({model::Budget{}}).empty());
    CHECK(codes({{"", 136, 1024, 20, 3, 1000}}).empty());
}

TEST_CASE("each figure above its bound has a code, the kernel's name and both figures") {
    CHECK(codes({{"", 135, 1023, 0, 2, 999}}) ==
          Codes{"K0730", "K0731", "K0732", "K0733", "K0734"});
    CHECK(findings({budget("", 128)}).at(0).message ==
          "`gemm` has 136 VGPRs for gfx942, the budget is 128 (`lib.so`)");
}

TEST_CASE("a pattern's bound takes the place of the general one") {
    CHECK(codes({budget("", 128), budget("ge*", 256)}).empty());
    CHECK(codes({budget("", 256), budget("ge*", 128)}) == Codes{"K0731"});
    CHECK(codes({budget("ge*", 128), budget("*mm", 256)}).empty());
    CHECK(codes({budget("scale*", 0)}).empty());
}

TEST_CASE("a pattern may be of the readable name, with or without parameters") {
    CHECK(codes({budget("gemm", 0)}, "_Z4gemmPf") == Codes{"K0731"});
    CHECK(codes({budget("gemm(float*)", 0)}, "_Z4gemmPf") == Codes{"K0731"});
    CHECK(codes({budget("_Z4gemm*", 0)}, "_Z4gemmPf") == Codes{"K0731"});
}
