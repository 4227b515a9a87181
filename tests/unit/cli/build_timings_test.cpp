#include "build_timings.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace kbuild;
using Catch::Matchers::Contains;

namespace {

build::BuildResult made() {
    build::BuildResult result;
    result.configured.seconds = 1.5;
    result.compiled.seconds = 4;
    result.compiled.steps = {{"rocm72/<gemm>.hip.o", 0, 3000}, {"lib.so", 3000, 4000}};
    return result;
}

} // namespace

TEST_CASE("timings as JSON: stages, and steps with begin and end in seconds") {
    const auto json = nlohmann::json::parse(cli::timings_json(made()));
    CHECK(json["format"] == "kbuild-timings-1");
    CHECK(json["configure"] == 1.5);
    CHECK(json["compile"] == 4.0);
    REQUIRE(json["steps"].size() == 2);
    CHECK(json["steps"][1]["output"] == "lib.so");
    CHECK(json["steps"][1]["begin"] == 3.0);
    CHECK(json["steps"][1]["end"] == 4.0);
}

TEST_CASE("timings as a page: a bar for each step, at its place") {
    const auto page = cli::timings_html(made(), "gemm");
    CHECK_THAT(page, Contains("rocm72/&lt;gemm&gt;.hip.o"));
    CHECK_THAT(page, Contains("<rect x=\"0.00%\" width=\"75.00%\""));
    CHECK_THAT(page, Contains("<rect x=\"75.00%\" width=\"25.00%\""));
}

TEST_CASE("a build without steps says so") {
    CHECK_THAT(cli::timings_html({}, "gemm"), Contains("Nothing had to be compiled or linked."));
}
