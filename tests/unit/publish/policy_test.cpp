#include "kbuild/publish/policy.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using diag::Severity;

namespace {

layout::Metadata metadata(std::optional<layout::CommitState> commit, const std::string& rocm = {}) {
    layout::Metadata metadata;
    metadata.version = 1;
    metadata.provenance = layout::Provenance{};
    metadata.provenance->kernel = std::move(commit);
    if (!rocm.empty())
        metadata.provenance->rocm_sdk = rocm;
    return metadata;
}

publish::LocalContent content_of(std::vector<layout::Metadata> all) {
    publish::LocalContent content;
    for (auto& one : all)
        content.variants.push_back(
            {"variant" + std::to_string(content.variants.size()), {}, std::move(one), {}});
    return content;
}

const layout::CommitState kClean{std::string(40, 'a'), false};
const layout::CommitState kDirty{std::string(40, 'a'), true};

std::vector<std::string> codes(const diag::Collector& findings) {
    std::vector<std::string> all;
    for (const auto& finding : findings.sorted())
        all.push_back((finding.severity == Severity::error ? "error " : "warning ") + finding.code);
    return all;
}

std::vector<std::string> provenance_codes(const layout::Metadata& one,
                                          publish::Allowances allowed = {}) {
    diag::Collector findings;
    publish::check_provenance(content_of({one}), allowed, findings);
    return codes(findings);
}

hub::WhoAmI alice() {
    return {.name = "alice",
            .type = "user",
            .orgs = {{"lab", "write"}, {"club", "read"}},
            .token_role = "write",
            .token_name = "ci"};
}

std::string refusal_for(const hub::WhoAmI& who, const std::string& owner) {
    const auto result = publish::check_rights(
        who, {hub::RepositoryType::kernel, owner, "gemm"}, "https://hub.test");
    return result ? "" : result.error().message;
}

} // namespace

TEST_CASE("a clean commit and a release SDK are published") {
    CHECK(provenance_codes(metadata(kClean, "HIP 7.2.1 (path, release)")).empty());
}

TEST_CASE("changed and unknown commits are refused, or let through with a warning") {
    CHECK(provenance_codes(metadata(kDirty)) == std::vector<std::string>{"error K1004"});
    CHECK(provenance_codes(metadata(std::nullopt)) == std::vector<std::string>{"error K1004"});
    CHECK(provenance_codes(layout::Metadata{}) == std::vector<std::string>{"error K1004"});
    CHECK(provenance_codes(metadata(kDirty), {.dirty = true}) ==
          std::vector<std::string>{"warning K1004"});
}

TEST_CASE("rebuilt and mixed SDKs are refused, or let through with a warning") {
    for (const auto* const sdk : {"HIP 7.2.1 (apt, rebuild: Debian)", "HIP 6.4 (apt, mix: a, b)"}) {
        CHECK(provenance_codes(metadata(kClean, sdk)) == std::vector<std::string>{"error K1005"});
        CHECK(provenance_codes(metadata(kClean, sdk), {.sdk_origin = true}) ==
              std::vector<std::string>{"warning K1005"});
        CHECK(provenance_codes(metadata(kClean, sdk), {.dirty = true}) ==
              std::vector<std::string>{"error K1005"});
    }
}

TEST_CASE("one finding names all variants with the same problem") {
    diag::Collector findings;
    publish::check_provenance(content_of({metadata(kDirty), metadata(kDirty)}), {}, findings);
    REQUIRE(findings.sorted().size() == 1);
    CHECK(findings.sorted()[0].message ==
          "2 variants: built from files that differ from commit aaaaaaaaaaaa");
    CHECK(findings.sorted()[0].notes == std::vector<std::string>{"variant0", "variant1"});
}

TEST_CASE("variants of different versions do not go together") {
    diag::Collector findings;
    auto second = metadata(kClean);
    second.version = 2;
    publish::common_version(content_of({metadata(kClean), second}), findings);
    CHECK(codes(findings) == std::vector<std::string>{"error K1003"});
}

TEST_CASE("a versioned branch takes its own version only") {
    const auto on_branch = [](const std::string& branch) {
        diag::Collector findings;
        publish::check_branch(branch, 1, findings);
        return codes(findings);
    };
    CHECK(on_branch("v1").empty());
    CHECK(on_branch("main").empty());
    CHECK(on_branch("vnext").empty());
    CHECK(on_branch("v2") == std::vector<std::string>{"error K1007"});
    CHECK(on_branch("v10") == std::vector<std::string>{"error K1007"});
}

TEST_CASE("rights: one's own namespace, and organisations with a writing role") {
    CHECK(refusal_for(alice(), "alice").empty());
    CHECK(refusal_for(alice(), "lab").empty());
    CHECK(refusal_for(alice(), "club") == "alice may only read in `club`");
    CHECK(refusal_for(alice(), "other") == "alice is no member of `other`");
}

TEST_CASE("rights: the token must be able to write") {
    auto who = alice();
    who.token_role = "read";
    CHECK(refusal_for(who, "alice") == "the token `ci` of alice can only read");
    who.token_role = "fineGrained";
    who.scopes = {{"org", "lab", {"repo.content.read", "repo.write"}}};
    CHECK(refusal_for(who, "lab").empty());
    CHECK(refusal_for(who, "alice") ==
          "the token `ci` of alice is fine-grained and may not write to `alice/gemm`");
    who.scopes = {{"kernel", "alice/gemm", {"repo.write"}}};
    CHECK(refusal_for(who, "alice").empty());
    who.scopes = {{"user", "alice", {"repo.content.read"}}};
    CHECK_FALSE(refusal_for(who, "alice").empty());
}
