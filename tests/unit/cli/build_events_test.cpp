#include "build_events.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <sstream>

using namespace kbuild;

namespace {

/// Counts what it is told.
class Listener : public build::Watcher {
  public:
    void stage_began(build::Stage /*stage*/) override { ++told; }
    void steps_expected(const build::ExpectedSteps& /*expected*/) override { ++told; }
    void step_ended(const build::EndedStep& /*step*/) override { ++told; }
    void step_failed(const std::string& /*output*/) override { ++told; }
    void time_passed(const std::vector<std::string>& /*running*/) override { ++told; }
    void variant_ended(const std::string& /*variant*/, build::VariantState /*state*/) override {
        ++told;
    }
    int told = 0;
};

} // namespace

TEST_CASE("what happens in a build is a JSON object on a line, and passed on") {
    std::ostringstream out;
    Listener next;
    double now = 0.25;
    cli::BuildEvents events(out, [&now] { return now; }, next);
    events.stage_began(build::Stage::compile);
    events.steps_expected({{{"host/a.o", 2.5}, {"host/m.so", {}}}, 4});
    events.time_passed({"host/a.o"});
    now = 1.00049;
    events.time_passed({"host/a.o"});
    events.step_ended({1, 2, "Building CXX object host/a.o"});
    events.step_failed("host/a.o");
    events.variant_ended("v", build::VariantState::compile_failed);
    events.build_ended(1);
    CHECK(out.str() ==
          R"({"reason":"stage-began","time":0.25,"stage":"compile"}
{"reason":"steps-expected","time":0.25,"jobs":4,"steps":[{"output":"host/a.o","seconds":2.5},{"output":"host/m.so"}]}
{"reason":"step-seen","time":0.25,"output":"host/a.o"}
{"reason":"step-ended","time":1.0,"output":"host/a.o","ended":1,"total":2}
{"reason":"step-failed","time":1.0,"output":"host/a.o"}
{"reason":"variant-ended","time":1.0,"variant":"v","result":"compile failed"}
{"reason":"build-ended","time":1.0,"exit_code":1}
)");
    CHECK(next.told == 7);
}

TEST_CASE("names that are no UTF-8 make no other line than JSON") {
    std::ostringstream out;
    Listener next;
    cli::BuildEvents events(out, [] { return 0.0; }, next);
    events.step_failed("host/\xFF\n.o");
    CHECK(nlohmann::json::parse(out.str())["output"] == "host/\xEF\xBF\xBD\n.o");
}

TEST_CASE("events that have no file are no events; a file that cannot be written is an error") {
    CHECK(*cli::open_events("") == nullptr);
    CHECK_FALSE(cli::open_events("/no such folder/events.jsonl"));
}
