#include "parse.hpp"

#include <algorithm>

using Places = std::vector<std::string>;

TEST_CASE("a right file has no findings") {
    const auto outcome = parse::text(parse::minimal());
    CHECK(outcome.findings.empty());
    CHECK(outcome.config);
}

TEST_CASE("an unknown key is pointed at, with its table and the key that was meant") {
    const auto outcome = parse::text(parse::minimal("rocm-arch = [\"gfx942\"]\n"));
    CHECK_FALSE(outcome.config);
    const auto& finding = outcome.only();
    CHECK(finding.code == "K0104");
    CHECK(finding.message == "unknown key `rocm-arch` in `[kernel.gemm]`");
    CHECK(finding.span.begin == kbuild::diag::Position{12, 1});
    CHECK(finding.span.end == kbuild::diag::Position{12, 10});
    CHECK(finding.related.at(0).span.begin == kbuild::diag::Position{8, 1});
    CHECK(finding.help == Places{"did you mean `rocm-archs`?"});
}

TEST_CASE("a key of another backend's kernel is named as such") {
    const auto outcome = parse::text(parse::minimal("cuda-flags = []\n"));
    CHECK(outcome.only().code == "K0104");
    CHECK(outcome.only().notes == Places{"`cuda-flags` is a key of `cuda` kernels"});
}

TEST_CASE("there are no tables for backends that have no options") {
    for (const auto* table : {"rocm", "cpu", "metal"}) {
        const auto outcome = parse::text(parse::minimal(std::string("[general.") + table + "]\n"));
        CHECK(outcome.places() == Places{"K0104 12:10"});
    }
}

TEST_CASE("every required key that is missing is told, each with an example") {
    const auto outcome = parse::text("[general]\nedition = 5\n[torch]\n[kernel.a]\n");
    CHECK(outcome.places() == Places{"K0101 1:1",
                                     "K0101 1:1",
                                     "K0101 1:1",
                                     "K0101 1:1",
                                     "K0101 4:1",
                                     "K0101 4:1",
                                     "K0101 4:1"});
    const auto with_license = std::count_if(
        outcome.findings.begin(), outcome.findings.end(), [](const parse::Diagnostic& finding) {
            return finding.help == Places{"add a string, for example `license = \"Apache-2.0\"`"};
        });
    CHECK(with_license == 1);
}

TEST_CASE("a required key that is misspelt is one mistake") {
    auto text = parse::minimal();
    text.replace(text.find("license"), 7, "licence");
    CHECK(parse::text(text).only().help == Places{"did you mean `license`?"});
}

TEST_CASE("values of the wrong type are told with what was wanted and found") {
    const auto outcome = parse::text("[general]\n"
                                     "name = 1\n"
                                     "version = \"1\"\n"
                                     "edition = 5\n"
                                     "license = true\n"
                                     "backends = \"rocm\"\n"
                                     "hub = \"me/x\"\n"
                                     "python-depends = [1979-05-27]\n"
                                     "[torch]\n"
                                     "minver = 2.13\n"
                                     "[kernel]\n"
                                     "x = 1\n");
    CHECK(outcome.places() == Places{"K0102 2:8",
                                     "K0102 3:11",
                                     "K0102 5:11",
                                     "K0102 6:12",
                                     "K0102 7:7",
                                     "K0102 8:19",
                                     "K0102 10:10",
                                     "K0102 12:1"});
    CHECK(outcome.findings[3].message ==
          "`general.backends` must be a list of strings, not a string");
    CHECK(outcome.findings[5].message ==
          "an entry of `general.python-depends` must be a string, not a date or time");
    CHECK(outcome.findings[6].help.size() == 1);
}

TEST_CASE("negative numbers are no versions of a kernel") {
    const auto outcome = parse::text("[general]\nname = \"ab\"\nversion = -1\nedition = 5\n"
                                     "license = \"x\"\nbackends = []\n[torch-noarch]\n");
    CHECK(outcome.only().message ==
          "`general.version` must be an unsigned integer, not a negative number");
}

TEST_CASE("values outside a closed set are told with the nearest one") {
    auto text = parse::minimal(
        "[kernel.other]\nbackend = \"ROCm\"\ndepends = [\"tourch\"]\nsrc = [\"a\"]\n");
    const auto outcome = parse::text(text);
    CHECK(outcome.places() == Places{"K0103 13:11", "K0103 14:12"});
    CHECK(outcome.findings[0].help == Places{"did you mean `rocm`?"});
    CHECK(outcome.findings[1].help == Places{"did you mean `torch`?"});
}

TEST_CASE("a backend that has no kernel sections says so") {
    const auto outcome = parse::text(
        parse::minimal("[kernel.other]\nbackend = \"tpu\"\ndepends = []\nsrc = [\"a\"]\n"));
    CHECK(outcome.only().code == "K0103");
    CHECK(outcome.only().notes.size() == 2);
}

TEST_CASE("versions, names and URLs are checked for their form") {
    const auto outcome = parse::text("[general]\n"
                                     "name = \"My_Kernel\"\n"
                                     "version = 1\n"
                                     "edition = 5\n"
                                     "license = \"x\"\n"
                                     "backends = [\"cuda\"]\n"
                                     "upstream = \"ftp://host/x\"\n"
                                     "source = \"git@github.com:a/b.git\"\n"
                                     "[general.cuda]\n"
                                     "minver = \">=12\"\n"
                                     "[torch-noarch]\n");
    CHECK(outcome.places() == Places{"K0106 2:8", "K0107 7:12", "K0105 10:10"});
    CHECK(outcome.findings[0].help == Places{"write `my-kernel`"});
}

TEST_CASE("an architecture that no compiler has is an error with the nearest name") {
    const auto outcome =
        parse::text(parse::minimal("rocm-archs = [\"gfx492\", \"gfx942\", \"gfx942:xnak+\"]\n"));
    CHECK(outcome.places() == Places{"K0112 12:15", "K0112 12:35"});
    CHECK(outcome.findings[0].help == Places{"did you mean `gfx942`?"});
}

TEST_CASE("a kernel dependency has a version or a revision, not both and not neither") {
    const auto outcome = parse::text(
        "[general]\nname = \"ab\"\nversion = 1\nedition = 5\nlicense = \"x\"\nbackends = []\n"
        "kernel-depends = [\n"
        "  { repo-id = \"a/b\", version = 1 },\n"
        "  { repo-id = \"a/b\", revision = \"main\" },\n"
        "  { repo-id = \"a/b\" },\n"
        "  { repo-id = \"a/b\", version = 1, revision = \"main\" },\n"
        "  { version = 1, tag = \"x\" },\n"
        "]\n[torch-noarch]\n");
    CHECK(outcome.places() == Places{"K0111 10:3", "K0111 11:3", "K0101 12:3", "K0104 12:18"});
}

TEST_CASE("the stable ABI is one version or one per backend, with major and minor") {
    CHECK(parse::text(
              "[general]\nname = \"ab\"\nversion = 1\nedition = 5\nlicense = \"x\"\nbackends = []\n"
              "[torch]\nstable-abi = \"3.0\"\n")
              .places() == Places{"K0117 8:14"});
    CHECK(parse::text(
              "[general]\nname = \"ab\"\nversion = 1\nedition = 5\nlicense = \"x\"\nbackends = []\n"
              "[torch.stable-abi]\nrocm = \"2.11\"\nhip = \"2.11\"\ncpu = 2.11\n")
              .places() == Places{"K0103 9:1", "K0102 10:7"});
}

TEST_CASE("paths that cannot pass through a build system are refused") {
    CHECK(parse::text(parse::minimal("include = [\"\", \"a\\nb\", \"a b\"]\n")).places() ==
          Places{"K0116 12:12", "K0116 12:16"});
}

TEST_CASE("nine mistakes are nine diagnostics, in the order of the file") {
    const auto outcome =
        parse::text("[general]\n"
                    "name = \"My Kernel\"\n" // 1: name
                    "version = \"1\"\n"      // 2: type
                    "edition = 5\n"
                    "backends = [\"rcom\", \"rocm\"]\n" // 3: value; 4: no license (at 1:1)
                    "source = \"not a url\"\n"          // 5: URL
                    "[torch]\n"
                    "minver = \"2.x\"\n" // 6: version
                    "[kernel.gemm]\n"
                    "backend = \"rocm\"\n"
                    "depends = [\"torch\"]\n"
                    "src = []\n"                    // 7: empty
                    "rocm-arch = [\"gfx942\"]\n"    // 8: key
                    "rocm-archs = [\"gfx999\"]\n"); // 9: architecture
    CHECK(outcome.places() == Places{"K0101 1:1",
                                     "K0106 2:8",
                                     "K0102 3:11",
                                     "K0103 5:13",
                                     "K0107 6:10",
                                     "K0105 8:10",
                                     "K0113 12:7",
                                     "K0104 13:1",
                                     "K0112 14:15"});
}

TEST_CASE("a name that others use, or that an older edition had, is answered with today's") {
    const auto help_of =
        [](const std::string& text, const std::string& from, const std::string& to) {
            auto changed = text;
            changed.replace(changed.find(from), from.size(), to);
            return parse::text(changed).only().help;
        };
    using Help = std::vector<std::string>;
    CHECK(help_of(parse::minimal(), "[\"torch\"]", "[\"cutlass_sycl\"]") ==
          Help{"write `sycl_tla`"});
    CHECK(help_of(parse::minimal(), "[\"rocm\"]", "[\"hip\"]") == Help{"write `rocm`"});
}
