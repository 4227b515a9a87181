#include "kbuild/config/load.hpp"
#include "kbuild/config/sdk_sources.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;

namespace {

std::optional<config::Settings> parse_settings(std::string text, diag::Collector& findings) {
    return config::parse_settings("kbuild.toml", std::move(text), findings);
}

} // namespace

TEST_CASE("an empty kbuild.toml is the defaults") {
    diag::Collector findings;
    const auto settings = parse_settings("", findings);
    REQUIRE(settings);
    CHECK_FALSE(settings->has_matrix());
    CHECK_FALSE(settings->fetch);
    CHECK(settings->driver == config::Driver::automatic);
    CHECK(settings->host_cxx.empty());
    CHECK(settings->policy == "manylinux_2_28");
    CHECK(settings->launcher == "auto");
    CHECK(settings->cache_remote.empty());
}

TEST_CASE("every setting is read") {
    diag::Collector findings;
    const auto settings =
        parse_settings("[matrix]\ntorch = [\"2.13\", \"2.14\"]\nrocm = [\"6.4\"]\n"
                       "[toolchain]\nfetch = true\nextra = [\"rocwmma\", \"hipfft\"]\n"
                       "[build]\ndriver = \"amdclang++\"\nhost-cxx = \"g++\"\n"
                       "policy = \"manylinux_2_34\"\n"
                       "[cache]\nlauncher = \"none\"\nremote = \"redis://cache.example\"\n"
                       "[test]\nemulate = [\"tests/one.cpp\"]\n[budget]\nspills = 0\n",
                       findings);
    REQUIRE(settings);
    REQUIRE(settings->matrix_torch);
    CHECK(settings->matrix_torch->at(1).value == model::Version({2, 14}));
    CHECK(settings->matrix_torch->at(1).span.begin == diag::Position{2, 18});
    CHECK(settings->matrix_rocm->size() == 1);
    CHECK(settings->fetch);
    CHECK(settings->extra_libraries == std::vector<std::string>{"rocwmma", "hipfft"});
    CHECK(settings->driver == config::Driver::amdclang);
    CHECK(settings->host_cxx == "g++");
    CHECK(settings->policy == "manylinux_2_34");
    CHECK(settings->launcher == "none");
    CHECK(settings->cache_remote == "redis://cache.example");
    REQUIRE(settings->emulated_tests.size() == 1);
    CHECK(settings->emulated_tests.front().value == "tests/one.cpp");
    REQUIRE(settings->budgets.size() == 1);
    CHECK(settings->budgets.front().spills == 0U);
}

TEST_CASE("each driver has its name") {
    using config::Driver;
    for (const auto& [name, driver] : {std::pair{"auto", Driver::automatic},
                                       std::pair{"hipcc", Driver::hipcc},
                                       std::pair{"amdclang++", Driver::amdclang},
                                       std::pair{"clang++", Driver::clang}}) {
        diag::Collector findings;
        CHECK(
            parse_settings(std::string("[build]\ndriver = \"") + name + "\"\n", findings)->driver ==
            driver);
    }
}

TEST_CASE("a policy that kbuild does not know is refused with the ones that it knows") {
    diag::Collector findings;
    CHECK_FALSE(parse_settings("[build]\npolicy = \"manylinux_2_82\"\n", findings));
    const auto sorted = findings.sorted();
    REQUIRE(sorted.size() == 1);
    CHECK(sorted.front().code == "K0103");
}

TEST_CASE("mistakes in kbuild.toml are told like those in build.toml") {
    diag::Collector findings;
    CHECK_FALSE(parse_settings(
        "[matrix]\ntorch = [2.13]\nroc = []\n[build]\ndriver = \"clang\"\n[tools]\n", findings));
    std::vector<std::string> codes;
    for (const auto& finding : findings.sorted())
        codes.push_back(finding.code);
    CHECK(codes == std::vector<std::string>{"K0102", "K0104", "K0103", "K0104"});
}

TEST_CASE("sources of SDKs are read, with defaults for what is not said") {
    diag::Collector findings;
    const auto settings = parse_settings(
        "[toolchain]\nindex-url = \"http://a/simple\"\n"
        "[[toolchain.rocm]]\nversion = \"7.3\"\nlayout = \"amd\"\nrepository = \"http://b\"\n"
        "suites = [\"noble\"]\npins = [{ packages = \"x*\", pin = \"release a=y\", priority = 9 "
        "}]\n"
        "[[toolchain.rocm]]\nversion = \"6.5.1\"\nsuites = [\"forky\", \"sid\"]\n"
        "[[toolchain.torch]]\nversion = \"2.16\"\n",
        findings);
    REQUIRE(settings);
    const auto& sources = settings->sources;
    CHECK(sources.index_url == "http://a/simple");
    REQUIRE(sources.rocm.size() == 2);
    CHECK(sources.rocm[0].layout == "amd");
    CHECK(sources.rocm[0].pins.at(0).priority == 9);
    CHECK(sources.rocm[1].version == model::Version({6, 5}));
    CHECK(sources.rocm[1].layout == "debian");
    CHECK(sources.rocm[1].components.empty());
    REQUIRE(sources.torch.size() == 1);
    CHECK(sources.has_rocm(model::Version({7, 3})));
    CHECK_FALSE(sources.has_rocm(model::Version({7, 2})));
}

TEST_CASE("a source without suites, or of an unknown layout, is a mistake with its place") {
    for (const auto& [text, code] :
         {std::pair{"[[toolchain.rocm]]\nversion = \"7.3\"\n", "K0101"},
          std::pair{"[[toolchain.rocm]]\nversion = \"7.3\"\nsuites = [\"a\"]\nlayout = \"suse\"\n",
                    "K0103"}}) {
        diag::Collector findings;
        CHECK_FALSE(parse_settings(text, findings));
        CAPTURE(text);
        const auto found = findings.sorted();
        REQUIRE(found.size() == 1);
        CHECK(found.front().code == code);
    }
}

TEST_CASE("a project's sources count before its user's") {
    model::SdkSources user;
    user.index_url = "u";
    user.torch = {{model::Version({2, 16}), "u16"}};
    model::SdkSources project;
    CHECK(config::joined(user, project).index_url == "u");
    project.index_url = "p";
    project.torch = {{model::Version({2, 16}), "p16"}};
    const auto both = config::joined(user, project);
    CHECK(both.index_url == "p");
    CHECK(both.torch.back().index_url == "p16"); // the later counts
}
