#include "provenance.hpp"

#include "kbuild/build/recorded_build.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;

namespace {

std::string statement() {
    model::TorchSdk torch;
    torch.name = "torch@2.13";
    torch.fingerprint = "f00d";
    build::PlannedVariant variant;
    variant.selected.variant = *model::Variant::parse("torch213-cxx11-cpu-x86_64-linux");
    variant.selected.torch = &torch;
    variant.ops_id = "_x_cpu_1a2b3c4";
    build::ProvenanceFacts facts{variant, "manylinux_2_28", {}, {}, {}, {}, {}, {}};
    facts.inputs = {{"build.toml", "ab12"}};
    facts.kernel = layout::CommitState{"c0ffee", false};
    facts.files = {{"_x.abi3.so", "cd34"}};
    return build::provenance_text(facts).value();
}

} // namespace

TEST_CASE("what kbuild writes into a provenance it reads back") {
    const auto recorded = build::read_recorded_build(statement());
    REQUIRE(recorded);
    CHECK(recorded->variant == "torch213-cxx11-cpu-x86_64-linux");
    CHECK(recorded->id == "_x_cpu_1a2b3c4");
    CHECK(recorded->archs.empty());
    CHECK(recorded->policy == "manylinux_2_28");
    CHECK_FALSE(recorded->builder.empty());
    using Digests = std::map<std::string, std::string>;
    CHECK(recorded->inputs == Digests{{"build.toml", "ab12"}});
    CHECK(recorded->sdks == Digests{{"torch@2.13", "f00d"}});
    CHECK(recorded->outputs == Digests{{"_x.abi3.so", "cd34"}});
}

TEST_CASE("what others wrote is refused") {
    for (const auto* const text :
         {"", "x", "[]", "{}", R"({"predicate": {"buildDefinition": []}})", "{\"predicate\": 1}"}) {
        const auto recorded = build::read_recorded_build(text);
        REQUIRE_FALSE(recorded);
        CHECK(recorded.error().kind == support::ErrorKind::content);
    }
}

TEST_CASE("inputs that are not as they were are named") {
    const auto folder =
        support::TempDir::create(std::filesystem::temp_directory_path(), "kbuild-recorded-");
    REQUIRE(folder);
    build::RecordedBuild recorded;
    REQUIRE(support::write_file_atomically(folder->path() / "same.cpp", "same"));
    REQUIRE(support::write_file_atomically(folder->path() / "other.cpp", "other"));
    const auto digest = support::sha256_file(folder->path() / "same.cpp");
    REQUIRE(digest);
    recorded.inputs = {{"same.cpp", support::to_hex(*digest)},
                       {"other.cpp", support::to_hex(*digest)},
                       {"gone.cpp", support::to_hex(*digest)}};
    CHECK(build::changed_inputs(recorded, folder->path()) ==
          std::vector<std::string>{"`gone.cpp` cannot be read", "`other.cpp` has other bytes"});
}
