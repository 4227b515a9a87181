#include "kbuild/config/load.hpp"
#include "kbuild/matrix/select.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace kbuild;
using matrix::BuildSet;
using model::Backend;
using model::Version;
using Names = std::vector<std::string>;

namespace {

/// A project with the given backends (a TOML list) and lines in its `[torch]` table, one kernel
/// section for each.
config::BuildConfig project(const std::string& backends = "[\"rocm\"]",
                            const std::string& torch = {},
                            const std::string& framework = "torch") {
    std::string text =
        "[general]\nname = \"ab\"\nversion = 1\nedition = 5\nlicense = \"x\"\nbackends = " +
        backends + "\n[" + framework + "]\n" + torch;
    for (const auto* backend : {"cpu", "rocm"})
        if (backends.find(backend) != std::string::npos)
            text += std::string("[kernel.") + backend + "]\nbackend = \"" + backend +
                    "\"\ndepends = []\nsrc = [\"a\"]\n";
    diag::Collector findings;
    auto parsed = config::parse_build_config("build.toml", text, findings);
    REQUIRE(parsed);
    return *parsed;
}

config::Settings settings(const std::string& text = {}) {
    diag::Collector findings;
    return config::parse_settings("kbuild.toml", text, findings).value();
}

template <typename Sdk> std::vector<Sdk> sdks(const std::vector<Version>& versions) {
    std::vector<Sdk> result;
    for (const auto& version : versions) {
        Sdk sdk;
        sdk.version = version;
        result.push_back(sdk);
    }
    return result;
}

const auto kRocm = sdks<model::RocmSdk>({Version({6, 4, 43484}), Version({7, 2, 4})});
const auto kTorch = sdks<model::TorchSdk>({Version({2, 13}), Version({2, 14, 1})});

BuildSet select(const config::BuildConfig& config,
                const config::Settings& chosen,
                const matrix::Filters& filters = {}) {
    return matrix::select(config, chosen, kRocm, kTorch, filters);
}

Names selected(const BuildSet& set) {
    Names names;
    for (const auto& entry : set.selected)
        names.push_back(entry.variant.name());
    return names;
}

std::string on_this_cpu(const std::string& front) {
    return front + "-" + std::string(model::host_cpu()) + "-linux";
}

const matrix::Excluded& excluded(const BuildSet& set, const std::string& front) {
    const auto found =
        std::find_if(set.excluded.begin(), set.excluded.end(), [&](const auto& entry) {
            return entry.variant.name() == on_this_cpu(front);
        });
    REQUIRE(found != set.excluded.end());
    return *found;
}

} // namespace

TEST_CASE("without settings the published pairs are built as far as there are SDKs") {
    const auto set = select(project(), settings());
    CHECK(selected(set) ==
          Names{on_this_cpu("torch213-cxx11-rocm72"), on_this_cpu("torch214-cxx11-rocm72")});
    CHECK(set.selected.at(0).torch == &kTorch.at(0));
    CHECK(set.selected.at(0).rocm == &kRocm.at(1));
    CHECK(set.excluded.size() == 2);
}

TEST_CASE("an SDK that is not in the matrix is not used by itself") {
    for (const auto& name : selected(select(project(), settings())))
        CHECK(name.find("rocm64") == std::string::npos);
}

TEST_CASE("the summary counts published pairs") {
    const auto set = select(project(), settings());
    CHECK(set.published_pairs == 4);
    if (model::host_cpu() == "x86_64") {
        CHECK(set.published_selected == 2);
        CHECK(set.selected.at(0).published);
    }
    CHECK(select(project("[\"cpu\"]"), settings()).published_pairs == 0);
    CHECK(select(project("[\"rocm\"]", "maxver = \"2.13\"\n"), settings()).published_pairs == 2);
}

TEST_CASE("the cpu backend has one variant per torch") {
    const auto set = select(project("[\"cpu\"]"), settings());
    CHECK(selected(set) ==
          Names{on_this_cpu("torch213-cxx11-cpu"), on_this_cpu("torch214-cxx11-cpu")});
    CHECK(set.selected.at(0).rocm == nullptr);
}

TEST_CASE("names are sorted, whatever the order of backends and versions") {
    const auto set = select(project("[\"rocm\", \"cpu\"]"),
                            settings("[matrix]\ntorch = [\"2.14\", \"2.13\", \"2.14\"]\n"));
    const auto names = selected(set);
    CHECK(std::is_sorted(names.begin(), names.end()));
    CHECK(names.size() == 4);
}

TEST_CASE("a missing SDK is an exclusion with the command that gets it") {
    const auto set = matrix::select(project(), settings(), {}, {}, {});
    const auto& entry = excluded(set, "torch213-cxx11-rocm72");
    CHECK(entry.cause == matrix::Excluded::Cause::sdk);
    CHECK(entry.reason == "no SDK for torch 2.13 and ROCm 7.2");
    CHECK(entry.fix == "kbuild toolchain add torch@2.13 rocm@7.2");
    CHECK_FALSE(entry.promised);
    const auto checked = matrix::check_selection(set);
    REQUIRE_FALSE(checked);
    CHECK(checked.error().kind == support::ErrorKind::toolchain);
    CHECK(checked.error().hint ==
          "`kbuild toolchain add rocm@7.2 torch@2.13 torch@2.14`\n`kbuild build --rocm PATH`");
}

TEST_CASE("ROCm 7.1 is not offered for fetching") {
    const auto set = select(project(), settings());
    const auto& entry = excluded(set, "torch213-cxx11-rocm71");
    CHECK(entry.reason ==
          "no SDK for ROCm 7.1, which comes from AMD's repository or /opt/rocm only");
    CHECK(entry.fix == "kbuild build --rocm PATH");
}

TEST_CASE("a matrix in kbuild.toml is a promise") {
    const auto set =
        select(project(), settings("[matrix]\ntorch = [\"2.12\", \"2.13\"]\nrocm = [\"6.4\"]\n"));
    CHECK(selected(set) == Names{on_this_cpu("torch213-cxx11-rocm64")});
    CHECK(excluded(set, "torch212-cxx11-rocm64").promised);
    const auto checked = matrix::check_selection(set);
    REQUIRE_FALSE(checked);
    CHECK(checked.error().kind == support::ErrorKind::toolchain);
    CHECK(checked.error().message.find("no SDK for torch 2.12") != std::string::npos);
    CHECK(checked.error().hint == "`kbuild toolchain add torch@2.12`");
}

TEST_CASE("only what the matrix names is promised") {
    const auto set = select(project(), settings("[matrix]\ntorch = [\"2.13\"]\n"));
    CHECK_FALSE(excluded(set, "torch213-cxx11-rocm71").promised);
    CHECK(matrix::check_selection(set));
}

TEST_CASE("with --require-all every pair is promised") {
    matrix::Filters filters;
    filters.require_all = true;
    CHECK_FALSE(matrix::check_selection(select(project(), settings(), filters)));
}

TEST_CASE("a variant that no published wheel loads is built with a remark") {
    const auto set = select(project(), settings("[matrix]\nrocm = [\"6.4\", \"7.2\"]\n"));
    REQUIRE(set.selected.size() == 4);
    CHECK(set.selected.at(0).variant.name() == on_this_cpu("torch213-cxx11-rocm64"));
    CHECK(set.selected.at(0).remark == "no published torch wheel can load it");
    CHECK_FALSE(set.selected.at(0).published);
    CHECK(set.selected.at(1).remark.empty());
}

TEST_CASE("bounds of build.toml compare major and minor, and include both ends") {
    const auto max = select(project("[\"cpu\"]", "maxver = \"2.14\"\n"), settings());
    CHECK(max.selected.size() == 2); // the SDK is 2.14.1: a patch release stays inside
    const auto min = select(project("[\"cpu\"]", "minver = \"2.14\"\n"), settings());
    CHECK(selected(min) == Names{on_this_cpu("torch214-cxx11-cpu")});
    CHECK(excluded(min, "torch213-cxx11-cpu").reason == "torch 2.13 is below `torch.minver` 2.14");
    const auto below = select(project("[\"cpu\"]", "maxver = \"2.13\"\n"), settings());
    CHECK(excluded(below, "torch214-cxx11-cpu").reason ==
          "torch 2.14 is above `torch.maxver` 2.13");
}

TEST_CASE("a bound that excludes a promised torch is no missing SDK") {
    const auto set = select(project("[\"cpu\"]", "maxver = \"2.12\"\n"),
                            settings("[matrix]\ntorch = [\"2.13\"]\n"));
    const auto checked = matrix::check_selection(set);
    REQUIRE_FALSE(checked);
    CHECK(checked.error().kind == support::ErrorKind::nothing);
}

TEST_CASE("filters narrow, by name, glob, version and backend") {
    const auto config = project("[\"rocm\", \"cpu\"]");
    matrix::Filters filters;
    filters.variants = {"*-cpu-*"};
    CHECK(select(config, settings(), filters).selected.size() == 2);
    filters.torch = {Version({2, 14})};
    CHECK(selected(select(config, settings(), filters)) ==
          Names{on_this_cpu("torch214-cxx11-cpu")});
    filters = {};
    filters.rocm = {Version({7, 2, 4})};
    filters.torch = {Version({2, 13})};
    CHECK(selected(select(config, settings(), filters)) ==
          Names{on_this_cpu("torch213-cxx11-cpu"), on_this_cpu("torch213-cxx11-rocm72")});
    filters.backends = {Backend::rocm};
    CHECK(selected(select(config, settings(), filters)) ==
          Names{on_this_cpu("torch213-cxx11-rocm72")});
}

TEST_CASE("what a filter leaves out is no broken promise") {
    matrix::Filters filters;
    filters.torch = {Version({2, 13})};
    const auto set = select(
        project(), settings("[matrix]\ntorch = [\"2.12\", \"2.13\"]\nrocm = [\"7.2\"]\n"), filters);
    CHECK(matrix::check_selection(set));
    CHECK(excluded(set, "torch212-cxx11-rocm72").cause == matrix::Excluded::Cause::filter);
}

TEST_CASE("a filter that fits nothing is told with what there is") {
    matrix::Filters filters;
    filters.variants = {on_this_cpu("torch213-cxx11-rocm27")};
    filters.rocm = {Version({6, 4})};
    const auto set = select(project(), settings(), filters);
    REQUIRE(set.notes.size() == 2);
    CHECK(set.notes.at(0) == "`--variant " + on_this_cpu("torch213-cxx11-rocm27") +
                                 "` fits no variant; did you mean `" +
                                 on_this_cpu("torch213-cxx11-rocm72") + "`?");
    CHECK(
        set.notes.at(1) ==
        "`--rocm 6.4` is not in the matrix (7.1, 7.2); `[matrix]` in kbuild.toml sets another one");
    const auto checked = matrix::check_selection(set);
    REQUIRE_FALSE(checked);
    CHECK(checked.error().kind == support::ErrorKind::nothing);
    CHECK(checked.error().message.find("did you mean") != std::string::npos);
}

TEST_CASE("backends that kbuild does not build are named") {
    const auto set = select(project("[\"cpu\", \"cuda\", \"metal\"]"), settings());
    CHECK(set.notes ==
          Names{"kbuild builds `cpu` and `rocm`; build.toml also lists `cuda`, `metal`"});
}

TEST_CASE("one stable-ABI variant per ROCm is built with the newest torch at hand") {
    const auto set = select(project("[\"rocm\"]", "stable-abi = \"2.11\"\n"), settings());
    CHECK(set.selected.size() + set.excluded.size() == 2); // whatever the torch
    for (const auto& selected : set.selected) {
        CHECK(selected.torch->short_version() == *model::Version::parse("2.14"));
        CHECK(selected.published);
    }
    CHECK(set.published_pairs == 2);
}

TEST_CASE("a stable-ABI newer than every torch at hand says which torch would do") {
    const auto set = select(project("[\"rocm\"]", "stable-abi = \"2.99\"\n"), settings());
    CHECK(set.selected.empty());
    CHECK(excluded(set, "torch-stable-abi299-rocm72").cause == matrix::Excluded::Cause::sdk);
    CHECK(excluded(set, "torch-stable-abi299-rocm72").fix == "kbuild toolchain add torch@2.99");
}

TEST_CASE("a package of Python files needs no SDK") {
    const auto set = select(project("[\"rocm\"]", {}, "torch-noarch"), settings());
    REQUIRE(set.selected.size() == 1);
    CHECK(set.selected[0].variant.name() == "torch-rocm");
    CHECK(set.selected[0].torch == nullptr);
    CHECK(set.excluded.empty());
}

TEST_CASE("kinds of variants that cannot be built yet are left out with that reason") {
    const auto tvm = select(project("[\"rocm\"]", "src = []\n", "tvm-ffi"), settings());
    CHECK(tvm.selected.empty());
    REQUIRE_FALSE(tvm.excluded.empty());
    CHECK(tvm.excluded.at(0).cause == matrix::Excluded::Cause::support);
}

TEST_CASE("a project without a backend that kbuild builds selects nothing") {
    const auto set = select(project("[\"cuda\"]"), settings());
    CHECK(set.selected.empty());
    const auto checked = matrix::check_selection(set);
    REQUIRE_FALSE(checked);
    CHECK(checked.error().kind == support::ErrorKind::nothing);
    CHECK(checked.error().message.find("`cuda`") != std::string::npos);
}

TEST_CASE("a CPU torch builds cpu variants and leaves the ROCm ones out, with the reason") {
    auto torch = sdks<model::TorchSdk>({Version({2, 13})});
    torch[0].build = model::TorchBuild::cpu;
    torch[0].no_rocm = "torch 2.13.0+cpu is a CPU build";
    const auto set = matrix::select(project("[\"cpu\", \"rocm\"]"),
                                    settings("[matrix]\ntorch = [\"2.13\"]\nrocm = [\"7.2\"]\n"),
                                    kRocm,
                                    torch,
                                    {});
    REQUIRE(set.selected.size() == 1);
    CHECK(set.selected.front().variant.backend == Backend::cpu);
    REQUIRE(set.excluded.size() == 1);
    CHECK(set.excluded.front().reason == torch[0].no_rocm);
    CHECK(set.excluded.front().promised);
}

TEST_CASE("a torch that was built for one ROCm is not built with another one") {
    auto torch = sdks<model::TorchSdk>({Version({2, 13})});
    torch[0].full_version = "2.13.0+rocm7.2";
    torch[0].build = model::TorchBuild::rocm;
    torch[0].rocm = Version({7, 2});
    const auto set =
        matrix::select(project(),
                       settings("[matrix]\ntorch = [\"2.13\"]\nrocm = [\"6.4\", \"7.2\"]\n"),
                       kRocm,
                       torch,
                       {});
    REQUIRE(set.selected.size() == 1);
    CHECK(set.selected.front().variant.backend_version == Version({7, 2}));
    REQUIRE(set.excluded.size() == 1);
    CHECK(set.excluded.front().reason ==
          "torch 2.13.0+rocm7.2 was built for ROCm 7.2, not for 6.4");
}

TEST_CASE("a ROCm that only an installation has can be fetched where a source for it is named") {
    const auto fix_of = [](const std::string& text) {
        const auto set = matrix::select(project(), settings(text), kRocm, kTorch, {});
        for (const auto& excluded : set.excluded)
            if (excluded.variant.backend_version == Version({7, 1}))
                return excluded.fix;
        return std::string();
    };
    CHECK(fix_of("") == "kbuild build --rocm PATH");
    CHECK(fix_of("[[toolchain.rocm]]\nversion = \"7.1\"\nsuites = [\"noble\"]\n") ==
          "kbuild toolchain add rocm@7.1");
}
