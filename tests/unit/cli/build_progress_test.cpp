#include "build_progress.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using Catch::Matchers::Contains;
using Shape = cli::ProgressOutput::Shape;

namespace {

constexpr char kVariant[] = "torch213-cxx11-cpu-x86_64-linux";
constexpr char kObject[] = "host/binding/a.cpp.o";
constexpr char kModule[] = "host/module/m.so";

/// A build of one variant whose clock stands still but for pass().
struct Watched {
    explicit Watched(Shape shape) : progress(output(shape), plan()) {}

    cli::ProgressOutput output(Shape shape) {
        return {shape,
                [this](const std::string& text) { said += text; },
                [this] { return now; },
                [this]() -> std::optional<ui::StatusStyle> {
                    if (!ours)
                        return std::nullopt;
                    return ui::StatusStyle{{80, 24}, false, true};
                }};
    }

    static build::Plan plan() {
        build::Plan plan;
        generate::Tree host;
        host.name = "host";
        host.modules = {{"module", "m", {"binding"}, {}, {}, {}}};
        plan.trees = {host};
        build::PlannedVariant variant;
        variant.selected.variant = *model::Variant::parse(kVariant);
        variant.target = kModule;
        plan.variants = {variant};
        return plan;
    }

    void compile() {
        progress.stage_began(build::Stage::compile);
        progress.steps_expected({{{kObject, 60.0}, {kModule, 5.0}}, 1});
    }

    /// What was said since the last time.
    std::string news() { return std::exchange(said, {}); }

    void pass(double seconds) {
        now += seconds;
        progress.time_passed({kObject});
    }

    std::string said;
    double now = 1000;
    bool ours = true;            ///< the terminal
    cli::BuildProgress progress; // the last one: it says something when it goes
};

} // namespace

TEST_CASE(
    "elsewhere than on a terminal: how much there is to do, and how long it took the last time") {
    Watched build(Shape::lines);
    build.compile();
    CHECK(build.news() == "compiling: 2 steps, about 1:05 by earlier times\n");
}

TEST_CASE("a heartbeat comes after 30 s without a word, and names what runs since when") {
    Watched build(Shape::lines);
    build.compile();
    build.pass(1);
    (void)build.news();
    build.pass(28);
    CHECK(build.news() == "");
    build.pass(1);
    CHECK(build.news() == "still compiling 0/2, 0:30, about 0:36 left: a.cpp (binding) for 0:29\n");
    build.pass(29);
    CHECK(build.news() == "");
    build.pass(1);
    CHECK_THAT(build.news(), Contains("a.cpp (binding) for 0:59"));
}

TEST_CASE("a line of another kind puts the heartbeat off") {
    Watched build(Shape::lines);
    build.compile();
    build.pass(29);
    build.progress.say("something");
    (void)build.news();
    build.pass(29);
    CHECK(build.news() == "");
}

TEST_CASE("headers that are precompiled have a heartbeat too") {
    Watched build(Shape::lines);
    build.progress.stage_began(build::Stage::headers);
    build.now += 30;
    build.progress.headers_made(1, 4);
    CHECK(build.news() == "still precompiling headers 1/4, 0:30\n");
}

TEST_CASE("a step that fails is said at once") {
    Watched build(Shape::lines);
    build.compile();
    (void)build.news();
    build.progress.step_ended({1, 2, std::string("Building CXX object ") + kObject});
    build.progress.step_failed(kObject);
    CHECK(build.news() == "failed: host/binding/a.cpp.o\n");
}

TEST_CASE("-v says each step") {
    Watched build(Shape::every_step);
    build.compile();
    (void)build.news();
    build.progress.step_ended({1, 2, std::string("Building CXX object ") + kObject});
    CHECK(build.news() == "[1/2] Building CXX object host/binding/a.cpp.o\n");
}

TEST_CASE("on GitHub steps are folded, and the fold ends before anything else") {
    Watched build(Shape::github);
    build.compile();
    build.progress.step_ended({1, 2, std::string("Building CXX object ") + kObject});
    build.progress.stage_began(build::Stage::publish);
    build.progress.finish();
    CHECK(build.news() == "::group::compile and link, 2 steps\n"
                          "[1/2] Building CXX object host/binding/a.cpp.o\n"
                          "::endgroup::\n");
}

TEST_CASE("a build without steps has nothing to fold or to say") {
    for (const auto shape : {Shape::lines, Shape::github, Shape::every_step}) {
        Watched build(shape);
        build.progress.stage_began(build::Stage::compile);
        build.progress.steps_expected({});
        build.progress.stage_began(build::Stage::publish);
        build.progress.variant_ended(kVariant, build::VariantState::fresh);
        build.progress.finish();
        CHECK(build.news() == "");
    }
}

TEST_CASE("-q says nothing at all") {
    Watched build(Shape::nothing);
    build.compile();
    build.pass(100);
    build.progress.step_failed(kObject);
    build.progress.finish();
    CHECK(build.news() == "");
}

TEST_CASE("a block is drawn at most ten times a second, and only if it changed") {
    Watched build(Shape::block);
    build.compile();
    build.pass(0.06);
    CHECK(build.news() == "");
    build.pass(0.06);
    CHECK_THAT(build.news(), Contains("compiling 0/2, 0:00, about 1:05 left"));
    build.pass(0.05);
    CHECK(build.news() == "");
    build.pass(0.2);
    CHECK(build.news() == ""); // nothing to be seen of a quarter of a second
    build.pass(1);
    CHECK_THAT(build.news(), Contains("compiling 0/2, 0:01, about 1:04 left"));
}

TEST_CASE("a block says what became of each variant") {
    Watched build(Shape::block);
    const auto drawn = [&build] {
        build.pass(2);
        return build.news();
    };
    build.now += 1;
    build.progress.stage_began(build::Stage::configure);
    CHECK_THAT(build.news(), Contains("linux    waiting") && Contains("configuring"));
    build.compile();
    CHECK_THAT(drawn(), Contains("0/2  compiling"));
    build.progress.step_failed(kObject);
    CHECK_THAT(drawn(), Contains("0/2  failed") && Contains("compiling 0/2, 1 failed"));
    build.progress.stage_began(build::Stage::publish);
    build.progress.variant_ended(kVariant, build::VariantState::compile_failed);
    CHECK_THAT(drawn(), Contains("compile failed") && Contains("checking and publishing 1/1"));
}

TEST_CASE("a line comes above the block, which follows it") {
    Watched build(Shape::block);
    build.compile();
    build.pass(1);
    (void)build.news();
    build.progress.say("removed something");
    CHECK_THAT(build.news(),
               Catch::StartsWith("\r\x1b[2A\x1b[Jremoved something\n\r\x1b[?7ltorch213"));
}

TEST_CASE("the end takes the block away, once") {
    Watched build(Shape::block);
    build.compile();
    build.pass(1);
    (void)build.news();
    build.progress.finish();
    CHECK(build.news() == "\r\x1b[2A\x1b[J");
    build.progress.finish();
    CHECK(build.news() == "");
}

TEST_CASE("a build that was stopped and goes on draws a new block, not over what came between") {
    Watched build(Shape::block);
    build.compile();
    build.pass(1);
    (void)build.news();
    build.pass(60);
    CHECK_THAT(build.news(), Catch::StartsWith("\r\x1b[?7ltorch213"));
}

TEST_CASE("a build in the background draws nothing, and a new block when it is back") {
    Watched build(Shape::block);
    build.compile();
    build.pass(1);
    (void)build.news();
    build.ours = false;
    build.pass(1);
    CHECK(build.news() == "");
    build.ours = true;
    build.pass(1);
    CHECK_THAT(build.news(), Catch::StartsWith("\r\x1b[?7ltorch213"));
}
