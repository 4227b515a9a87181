#include "offload_bundler.hpp"

#include "kbuild/step/bundle.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace kbuild;
using build::bundler_in;

using Words = std::vector<std::string>;

namespace {

/// What `-###` prints for one HIP unit: the compilers' steps around the bundler's.
std::string printed(const std::string& bundler, const std::string& targets) {
    return fmt::format(
        "clang version 21.1.8\nTarget: x86_64-pc-linux-gnu\n"
        " \"/sdk/bin/clang\" \"-cc1\" \"-triple\" \"amdgcn-amd-amdhsa\" \"-emit-obj\"\n"
        " \"{}\" \"-type=o\" \"-bundle-align=4096\" \"-targets={}\" \"-input=/dev/null\" "
        "\"-input=/tmp/x.out\" \"-output=/tmp/x.hipfb\"\n"
        " \"/sdk/bin/clang\" \"-cc1\" \"-triple\" \"x86_64-pc-linux-gnu\"\n",
        bundler,
        targets);
}

} // namespace

TEST_CASE("each clang's own name of the host is taken") {
    for (const std::string host : {"host-x86_64-unknown-linux",
                                   "host-x86_64-unknown-linux-gnu",
                                   "host-x86_64-unknown-linux-"}) {
        CAPTURE(host);
        const auto found = bundler_in(
            printed("/sdk/bin/clang-offload-bundler", host + ",hipv4-amdgcn-amd-amdhsa--gfx942"));
        REQUIRE(found);
        CHECK(found->program == "/sdk/bin/clang-offload-bundler");
        CHECK(found->host_target == host);
        CHECK(found->clang == 21);
        CHECK(found->options == Words{"-type=o", "-bundle-align=4096"});
    }
}

TEST_CASE("AMD's bundler is called another way where code is compressed") {
    const auto found = bundler_in(
        "\"/opt/rocm/lib/llvm/bin/clang-offload-bundler\" \"-type=o\" \"-bundle-align=4096\" "
        "\"-targets=host-x86_64-unknown-linux-gnu,hipv4-amdgcn-amd-amdhsa--gfx942\" "
        "\"-input=/dev/null\" \"-input=a\" \"-output=b\" \"-verbose\"\n");
    REQUIRE(found);
    CHECK(found->options == Words{"-type=o", "-bundle-align=4096", "-verbose"});
    CHECK(found->clang == 0); // not told
}

TEST_CASE("paths with blanks, quotes and dollars are unescaped") {
    const auto found =
        bundler_in(printed("/my \\\"sdk\\\"\\\\\\$/clang-offload-bundler", "host-x86_64,hipv4-x"));
    REQUIRE(found);
    CHECK(found->program == "/my \"sdk\"\\$/clang-offload-bundler");
}

TEST_CASE("without a step that joins code for a host there is no bundler") {
    CHECK_FALSE(bundler_in(""));
    CHECK_FALSE(bundler_in("clang: error: no such file\n"));
    CHECK_FALSE(bundler_in(printed("/sdk/bin/clang-offload-packager", "host-x86_64,hipv4-x")));
    CHECK_FALSE(bundler_in(printed("/sdk/bin/clang-offload-bundler", "hipv4-x")));
}

namespace {

/// As LLVM 21 joins kTrialInputs.
std::string trial(const std::string& host) {
    step::BundleRequest request{4096, {host}, {}, {}};
    for (const auto& input : build::kTrialInputs)
        request.targets.emplace_back(input.first);
    const auto layout = step::lay_out(
        request, {0, build::kTrialInputs[0].second.size(), build::kTrialInputs[1].second.size()});
    auto bytes = layout.header;
    bytes.resize(layout.offsets[1]);
    bytes += build::kTrialInputs[0].second;
    bytes.resize(layout.offsets[2]);
    return bytes.append(build::kTrialInputs[1].second);
}

} // namespace

TEST_CASE("kbuild's own program stands for a bundler that joins as it does") {
    const generate::Bundler plain{
        "/sdk/bin/clang-offload-bundler", {"-type=o", "-bundle-align=4096"}, "host-x86_64", 17};
    for (const std::string host : {"host-x86_64", "host-x86_64-", "host-x86_64--"}) {
        CAPTURE(host);
        const auto ours = build::with_our_program(plain, trial(host));
        CHECK(ours.program == "./kbuild-bundle");
        CHECK(ours.host_target == host);
        CHECK(ours.options == plain.options);
    }
    auto other = trial("host-x86_64");
    other[40] = 1;
    for (const auto& made : {other, trial("host-arm64"), std::string()}) {
        const auto same = build::with_our_program(plain, made);
        CHECK(same.program == plain.program);
        CHECK(same.host_target == plain.host_target);
    }
}
