#include "kbuild/inspect/diff.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using inspect::Change;
using inspect::Measure;

namespace {

inspect::KernelResources kernel(const std::string& name, std::uint32_t vgprs) {
    inspect::KernelResources resources;
    resources.name = name;
    resources.vgprs = vgprs;
    resources.wave_size = 64;
    resources.max_work_group_size = 256;
    return resources;
}

inspect::FileReport report(const std::vector<inspect::KernelResources>& kernels,
                           const std::string& arch = "gfx942") {
    inspect::FileReport result;
    result.bytes = 1000;
    result.code.objects.push_back({*model::GfxArch::parse(arch), 5, 100, kernels});
    return result;
}

} // namespace

TEST_CASE("a file does not differ from itself") {
    const auto file = report({kernel("gemm", 128)});
    CHECK(inspect::diff(file, file).empty());
}

TEST_CASE("figures of kernels that both have are compared, the waves that follow from them too") {
    const auto changes =
        inspect::diff(report({kernel("gemm", 128)}), report({kernel("gemm", 136)}));
    CHECK(changes == std::vector<Change>{{Measure::vgprs, "gfx942 gemm", 128, 136},
                                         {Measure::waves, "gfx942 gemm", 16, 12}});
    CHECK(inspect::is_regression(changes.at(0)));
    CHECK(inspect::is_regression(changes.at(1)));
}

TEST_CASE("less of a resource and more waves are no regression") {
    for (const auto& change :
         inspect::diff(report({kernel("gemm", 136)}), report({kernel("gemm", 128)})))
        CHECK_FALSE(inspect::is_regression(change));
}

TEST_CASE("spills of vector and scalar registers, scratch, LDS and code are compared") {
    auto after = kernel("gemm", 128);
    after.vgpr_spills = 2;
    after.sgpr_spills = 1;
    after.scratch_bytes = 16;
    after.lds_bytes = 64;
    after.code_bytes = 8;
    CHECK(inspect::diff(report({kernel("gemm", 128)}), report({after})) ==
          std::vector<Change>{{Measure::spills, "gfx942 gemm", 0, 3},
                              {Measure::scratch, "gfx942 gemm", 0, 16},
                              {Measure::lds, "gfx942 gemm", 0, 64},
                              {Measure::code, "gfx942 gemm", 0, 8}});
}

TEST_CASE("architectures, kernels and symbols that are gone are regressions, new ones are not") {
    auto before = report({kernel("old", 8)});
    before.host.exported = {"kept", "lost"};
    auto after = report({kernel("new", 8)}, "gfx90a");
    after.host.exported = {"kept"};
    after.bytes = 2000;
    const auto changes = inspect::diff(before, after);
    CHECK(changes == std::vector<Change>{{Measure::archs, "gfx90a", 0, 1},
                                         {Measure::archs, "gfx942", 1, 0},
                                         {Measure::kernels, "gfx90a new", 0, 1},
                                         {Measure::kernels, "gfx942 old", 1, 0},
                                         {Measure::symbols, "lost", 1, 0},
                                         {Measure::size, "the file", 1000, 2000}});
    CHECK_FALSE(inspect::is_regression(changes[0]));
    CHECK(inspect::is_regression(changes[1]));
    CHECK(inspect::is_regression(changes[4]));
}

TEST_CASE("every measure has a name of its own") {
    std::vector<std::string_view> names;
    for (const auto measure : inspect::measures())
        names.push_back(to_string(measure));
    CHECK(names.size() == 12);
    CHECK(names.front() == "archs");
    CHECK(names.back() == "waves");
}
