#include "edition.hpp"
#include "parse.hpp"
#include "read_model.hpp"
#include "toml_document.hpp"

#include "kbuild/config/model_text.hpp"

using namespace kbuild;
using Places = std::vector<std::string>;

namespace {

struct Reading {
    int edition = 0;
    config::BuildConfig config;
    Places places;
};

/// A text as its own edition reads it.
Reading read(const std::string& text) {
    diag::Collector findings;
    const auto root = config::parse_toml(config::make_source("build.toml", text), findings);
    REQUIRE(root);
    const auto edition = config::detect_edition(*root).number;
    Reading reading{edition, config::read_model(*root, edition, findings), {}};
    for (const auto& finding : findings.sorted())
        reading.places.push_back(finding.code + " " + std::to_string(finding.span.begin.line) +
                                 ":" + std::to_string(finding.span.begin.column));
    return reading;
}

Places backends_of(const config::BuildConfig& config) {
    Places names;
    for (const auto& backend : config.general.backends)
        names.emplace_back(to_string(backend.value));
    return names;
}

} // namespace

TEST_CASE("edition 3 may leave out version, license and framework: 1, none, Python files only") {
    const auto three = read("[general]\nname = \"ab\"\nbackends = [\"rocm\"]\n");
    CHECK(three.edition == 3);
    CHECK(three.places.empty());
    CHECK(three.config.general.version == 1);
    CHECK(three.config.general.license.empty());
    CHECK(three.config.framework.kind == config::FrameworkKind::torch_noarch);
}

TEST_CASE("edition 2 has the backends of its kernel sections, by name") {
    const auto two = read("[general]\nname = \"ab\"\n[torch]\n"
                          "[kernel.z]\nbackend = \"rocm\"\ndepends = []\nsrc = [\"a.hip\"]\n"
                          "[kernel.a]\nbackend = \"cpu\"\ndepends = []\nsrc = [\"a.cpp\"]\n");
    CHECK(two.edition == 2);
    CHECK(two.places.empty());
    CHECK(backends_of(two.config) == Places{"cpu", "rocm"});
}

TEST_CASE("a universal kernel of edition 2 is Python files for five backends") {
    const auto two = read("[general]\nname = \"ab\"\nuniversal = true\n");
    CHECK(backends_of(two.config) == Places{"cpu", "cuda", "metal", "rocm", "xpu"});
    CHECK(two.config.framework.kind == config::FrameworkKind::torch_noarch);
}

TEST_CASE("what edition 2 says of CUDA among the general keys is an option of that backend") {
    const auto two = read("[general]\nname = \"ab\"\ncuda-minver = \"12.6\"\n"
                          "python-depends = [\"einops\", \"nvidia-cutlass-dsl\"]\n[torch]\n");
    CHECK(two.places.empty());
    const auto& cuda = two.config.general.backend_options.at(model::Backend::cuda);
    CHECK(cuda.versions.min == model::Version::parse("12.6"));
    CHECK(cuda.python_depends.at(0).value == "nvidia-cutlass-dsl");
    CHECK(two.config.general.python_depends.size() == 1);
}

TEST_CASE("a cuda-hipify kernel of edition 1 is two: CUDA, and ROCm with its own archs") {
    const auto one = read("[general]\nname = \"ab\"\n[torch]\n"
                          "[kernel.a]\nlanguage = \"cuda-hipify\"\ndepends = [\"torch\"]\n"
                          "rocm-archs = [\"gfx942\"]\ncuda-capabilities = [\"9.0\"]\n"
                          "src = [\"a.cu\"]\n");
    CHECK(one.edition == 1);
    CHECK(one.places.empty());
    REQUIRE(one.config.kernels.size() == 2);
    CHECK(one.config.kernels[0].name == "a");
    CHECK(one.config.kernels[0].backend == model::Backend::cuda);
    CHECK(one.config.kernels[0].rocm_archs.empty());
    CHECK(one.config.kernels[0].cuda_capabilities.size() == 1);
    CHECK(one.config.kernels[1].name == "a_rocm");
    CHECK(one.config.kernels[1].backend == model::Backend::rocm);
    CHECK(one.config.kernels[1].rocm_archs.size() == 1);
    CHECK(one.config.kernels[1].src.at(0).value == "a.cu");
    CHECK(backends_of(one.config) == Places{"cuda", "rocm"});
}

TEST_CASE("without a language a kernel of edition 1 is CUDA") {
    const auto one =
        read("[general]\nname = \"ab\"\n[torch]\n[kernel.a]\ndepends = []\nsrc = [\"a.cu\"]\n");
    CHECK(one.edition == 1);
    CHECK(one.config.kernels.at(0).backend == model::Backend::cuda);
}

TEST_CASE("all mistakes of an older edition are told in one run, beside its age") {
    const auto outcome = parse::text("[general]\n"
                                     "name = \"a_b\"\n"        // not a name
                                     "backends = [\"rcom\"]\n" // not a backend
                                     "source = 1\n"            // came with edition 4
                                     "[kernel.a]\n"
                                     "backend = \"rocm\"\n"
                                     "depends = [\"trch\"]\n"
                                     "src = []\n");
    // `source` tells edition 4.
    CHECK(outcome.places() == Places{"K0101 1:1",
                                     "K0101 1:1",
                                     "K0109 1:1",
                                     "K0110 1:1",
                                     "K0106 2:8",
                                     "K0103 3:13",
                                     "K0102 4:10",
                                     "K0103 7:12",
                                     "K0113 8:7"});
    const auto three = parse::text("[general]\nname = \"a_b\"\nbackends = [\"rcom\"]\nsrc = 1\n"
                                   "[kernel.a]\nbackend = \"rocm\"\ndepends = []\n");
    CHECK(three.places() ==
          Places{"K0108 1:1", "K0106 2:8", "K0103 3:13", "K0104 4:1", "K0101 5:1"});
    const auto two = parse::text("[general]\nname = \"ab\"\nuniversal = 1\nzzz = 1\n"
                                 "python-depends = [\"numpy\"]\n");
    CHECK(two.places() == Places{"K0108 1:1", "K0102 3:13", "K0104 4:1", "K0103 5:19"});
    const auto one = parse::text("[general]\nname = \"ab\"\n[torch]\nminver = \"2.1\"\n[kernel.a]\n"
                                 "language = \"hip\"\ndepends = []\nsrc = [\"a\"]\nflags = 1\n");
    CHECK(one.places() == Places{"K0108 1:1", "K0104 4:1", "K0103 6:12", "K0104 9:1"});
}

TEST_CASE("a key that a later edition brought is told from one that is made up") {
    const auto outcome = parse::text("[general]\nname = \"ab\"\nbackends = []\n"
                                     "kernel-depends = []\nsauce = 1\n[torch]\n");
    CHECK(outcome.places() == Places{"K0108 1:1", "K0104 4:1", "K0104 5:1"});
    CHECK(outcome.findings[1].notes ==
          Places{"a later edition has `kernel-depends`; this file is read as edition 3"});
    CHECK(outcome.findings[2].notes.at(0).substr(0, 10) == "known keys");
}

TEST_CASE("two frameworks are one too many in every edition") {
    const auto three = parse::text("[general]\nname = \"ab\"\nbackends = []\n[torch]\n[tvm-ffi]\n"
                                   "src = []\n");
    CHECK(three.places() == Places{"K0108 1:1", "K0110 5:2"});
}

TEST_CASE("a file that has what edition 3 lacked is of edition 4, whatever it lacks itself") {
    const auto outcome =
        parse::text("[general]\nname = \"ab\"\nversion = 1\nbackends = [\"rocm\"]\n"
                    "[torch-noarch]\n");
    CHECK(outcome.places() == Places{"K0101 1:1", "K0109 1:1"});
}

TEST_CASE("equal texts of two models mean equal models, apart from edition and places") {
    const auto five = parse::text(parse::minimal());
    const auto spaced = parse::text("# a comment\n\n" + parse::minimal());
    const auto other = parse::text(parse::minimal("hip-flags = [\"-O3\"]\n"));
    CHECK(model_text(*five.config) == model_text(*spaced.config));
    CHECK(model_text(*five.config) != model_text(*other.config));
}
