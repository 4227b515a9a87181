#include "provenance.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace kbuild;
using Json = nlohmann::json;

namespace {

struct StatementFixture {
    model::TorchSdk torch;
    build::PlannedVariant variant;
    build::Plan plan;
    build::PlanInputs inputs;

    StatementFixture() {
        torch.name = "torch@2.13";
        torch.root = "/sdk/torch-2.13";
        torch.full_version = "2.13.0+cpu";
        torch.fingerprint = "f00d";
        variant.selected.variant = *model::Variant::parse("torch213-cxx11-cpu-x86_64-linux");
        variant.selected.torch = &torch;
        variant.target = "host/module_x/_x.abi3.so";
        inputs.root = "/home/me/x";
        inputs.baseline = portable::Baseline{"/store/baseline-1", {"/store/baseline-1/cxx.a"}};
        generate::Library library;
        library.name = "binding";
        library.sources = {{"/home/me/x/torch-ext/b.cpp", {"-O1"}}};
        library.system_includes = {"/sdk/torch-2.13/include"};
        generate::Library other = library;
        other.name = "of_another_variant";
        generate::Module module;
        module.name = "module_x";
        module.libraries = {"binding"};
        module.link_files = {"/store/baseline-1/cxx.a"};
        generate::Tree host;
        host.name = "host";
        host.libraries = {library, other};
        host.modules = {module};
        plan.trees = {host};
        plan.variants = {variant};
    }

    Json statement() const {
        build::ProvenanceFacts facts{variant, "manylinux_2_28", "baseline-1", {}, {}, {}, {}, {}};
        facts.commands = build::record_commands(plan, inputs).at(variant.target);
        facts.compilers = {"GCC: 12.2.0"};
        facts.inputs = {{"build.toml", "ab12"}};
        facts.kernel = layout::CommitState{"c0ffee", true};
        facts.files = {{"_x.abi3.so", "cd34"}};
        const auto text = build::provenance_text(facts);
        REQUIRE(text);
        return Json::parse(*text);
    }
};

/// The entry of a list whose member `name` is this.
Json named(const Json& list, const std::string& name) {
    for (const auto& entry : list)
        if (entry.at("name") == name)
            return entry;
    return {};
}

} // namespace

TEST_CASE("a provenance is an in-toto statement with a SLSA predicate about the variant's files") {
    const auto statement = StatementFixture().statement();
    CHECK(statement.at("_type") == "https://in-toto.io/Statement/v1");
    CHECK(statement.at("predicateType") == "https://slsa.dev/provenance/v1");
    CHECK(named(statement.at("subject"), "_x.abi3.so").at("digest").at("sha256") == "cd34");
    const auto& predicate = statement.at("predicate");
    CHECK(predicate.at("runDetails").at("builder").at("version").contains("kbuild"));
    CHECK(predicate.at("buildDefinition").at("externalParameters").at("policy") ==
          "manylinux_2_28");
}

TEST_CASE("it names SDKs, commit and inputs with what identifies them") {
    const auto statement = StatementFixture().statement();
    const auto& list = statement.at("predicate").at("buildDefinition").at("resolvedDependencies");
    CHECK(named(list, "torch@2.13").at("digest").at("kbuildSdkContent") == "f00d");
    CHECK(named(list, "project").at("digest").at("gitCommit") == "c0ffee");
    CHECK(named(list, "build.toml").at("digest").at("sha256") == "ab12");
}

TEST_CASE("the commands are the variant's own, with symbolic paths") {
    const StatementFixture fixture;
    const auto commands =
        build::record_commands(fixture.plan, fixture.inputs).at(fixture.variant.target);
    REQUIRE(commands.size() == 2);
    CHECK(commands[0].source == "./torch-ext/b.cpp");
    CHECK(commands[0].arguments ==
          std::vector<std::string>{"-isystem", "${torch@2.13}/include", "-O1"});
    CHECK(commands[1].source.empty());
    CHECK(commands[1].arguments == std::vector<std::string>{"${baseline}/cxx.a"});
    CHECK(fixture.statement().dump().find("/home/me") == std::string::npos);
}
