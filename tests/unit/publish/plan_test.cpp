#include "kbuild/publish/plan.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace kbuild;
using publish::Action;
using publish::LocalContent;
using publish::Remote;
using publish::RemoteBranch;

namespace {

const std::string kHead(40, 'a');
const std::string kOther(40, 'b');

hub::TreeFile there(const publish::LocalFile& file) {
    return {file.path, file.size, file.blob_id, std::nullopt};
}
hub::TreeFile there_as_lfs(const publish::LocalFile& file) {
    return {file.path, file.size, kOther, file.sha256};
}
hub::TreeFile old(const std::string& path) {
    return {path, 7, kOther, std::nullopt};
}

LocalContent content_of(const std::vector<std::string>& variants) {
    LocalContent content;
    for (const auto& name : variants)
        content.variants.push_back(
            {name,
             {},
             {},
             {publish::text_file("build/" + name + "/__init__.py", "import x\n"),
              publish::text_file("build/" + name + "/k.so", "code")}});
    content.readme = publish::text_file("README.md", "# kernel\n");
    return content;
}

publish::PlanOptions options() {
    return {.repository = {hub::RepositoryType::kernel, "lab", "gemm"}, .branch = "v1"};
}

Remote remote_with(std::vector<hub::TreeFile> files) {
    Remote remote;
    remote.main = RemoteBranch{"main", kHead, true, {}};
    remote.target = RemoteBranch{"v1", kOther, true, std::move(files)};
    return remote;
}

/// `add build/a/k.so` for each change, in order.
std::vector<std::string> lines(const publish::BranchPlan& plan) {
    std::vector<std::string> all;
    for (const auto& change : plan.changes)
        all.push_back(std::string(publish::to_string(change.action)) + " " + change.path);
    return all;
}

} // namespace

TEST_CASE("the variants' branch comes before main, which gets the README") {
    const auto content = content_of({"a"});
    const auto plan = publish::make_plan(options(), content, Remote{true, false, {}, {}});
    REQUIRE(plan.branches.size() == 2);
    CHECK(plan.create_repository);
    CHECK(plan.branches[0].branch == "v1");
    CHECK(plan.branches[0].create);
    CHECK(lines(plan.branches[0]) ==
          std::vector<std::string>{"add build/a/__init__.py", "add build/a/k.so"});
    CHECK(lines(plan.branches[1]) == std::vector<std::string>{"add README.md"});
}

TEST_CASE("a file is unchanged if git's id, or for LFS the SHA-256, is the same") {
    const auto content = content_of({"a"});
    const auto& files = content.variants[0].files;
    const auto plan = publish::make_plan(
        options(), content, remote_with({there(files[0]), there_as_lfs(files[1])}));
    CHECK_FALSE(plan.branches[0].has_changes());
    CHECK(plan.branches[0].parent == kOther);

    auto other = there_as_lfs(files[1]);
    other.sha256 = std::string(64, 'c');
    CHECK(lines(publish::make_plan(options(), content, remote_with({other})).branches[0]) ==
          std::vector<std::string>{"add build/a/__init__.py", "replace build/a/k.so"});
}

TEST_CASE("stale files of the uploaded variants go, everything else stays") {
    const auto content = content_of({"a"});
    const auto remote = remote_with({old(".gitattributes"),
                                     old("benchmarks/benchmark.py"),
                                     old("build/a/stale.so"),
                                     old("build/b/k.so"),
                                     old("build/loose")});
    CHECK(lines(publish::make_plan(options(), content, remote).branches[0]) ==
          std::vector<std::string>{
              "add build/a/__init__.py", "add build/a/k.so", "delete build/a/stale.so"});
}

TEST_CASE("`--prune` also removes variants that are not here") {
    auto pruned = options();
    pruned.prune = true;
    const auto content = content_of({"a"});
    const auto remote = remote_with({old("build/b/k.so"), old("build/loose"), old("other")});
    CHECK(lines(publish::make_plan(pruned, content, remote).branches[0]) ==
          std::vector<std::string>{"add build/a/__init__.py",
                                   "add build/a/k.so",
                                   "delete build/b/k.so",
                                   "delete build/loose"});
}

TEST_CASE("a new branch loses the builds that it inherits from main") {
    const auto content = content_of({"a"});
    Remote remote;
    remote.main = RemoteBranch{"main", kHead, true, {old("README.md"), old("build/b/k.so")}};
    const std::vector<std::string> wanted = {
        "add build/a/__init__.py", "add build/a/k.so", "delete build/b/k.so"};
    SECTION("when it is created") {
        const auto plan = publish::make_plan(options(), content, remote);
        CHECK(plan.branches[0].create);
        CHECK(plan.branches[0].parent == kHead);
        CHECK(lines(plan.branches[0]) == wanted);
    }
    SECTION("and when a killed run had created it") {
        remote.target = RemoteBranch{"v1", kHead, false, remote.main->files};
        const auto plan = publish::make_plan(options(), content, remote);
        CHECK_FALSE(plan.branches[0].create);
        CHECK(lines(plan.branches[0]) == wanted);
    }
}

TEST_CASE("benchmarks: without a local folder nothing is touched") {
    auto content = content_of({});
    content.readme.reset();
    auto remote = remote_with({old("benchmarks/benchmark_old.py"), old("benchmarks/data.txt")});
    CHECK(publish::make_plan(options(), content, remote).branches[0].changes.empty());
    content.has_benchmarks = true;
    content.benchmarks = {publish::text_file("benchmarks/benchmark.py", "x")};
    CHECK(lines(publish::make_plan(options(), content, remote).branches[0]) ==
          std::vector<std::string>{"add benchmarks/benchmark.py",
                                   "delete benchmarks/benchmark_old.py"});
    remote.target->own = false;
    CHECK(lines(publish::make_plan(options(), content, remote).branches[0]) ==
          std::vector<std::string>{"add benchmarks/benchmark.py",
                                   "delete benchmarks/benchmark_old.py",
                                   "delete benchmarks/data.txt"});
}

TEST_CASE("with `--branch main` everything is one commit") {
    auto to_main = options();
    to_main.branch = "main";
    Remote remote;
    remote.main = RemoteBranch{"main", kHead, true, {}};
    remote.target = remote.main;
    const auto content = content_of({"a"});
    const auto plan = publish::make_plan(to_main, content, remote);
    REQUIRE(plan.branches.size() == 1);
    CHECK(lines(plan.branches[0]) ==
          std::vector<std::string>{"add README.md", "add build/a/__init__.py", "add build/a/k.so"});
}

TEST_CASE("a listing after the commit is compared by hash") {
    const auto content = content_of({"a"});
    const auto& files = content.variants[0].files;
    const auto plan =
        publish::make_plan(options(), content, remote_with({old("build/a/stale.so")})).branches[0];
    CHECK_FALSE(publish::difference(plan, {there(files[0]), there_as_lfs(files[1]), old("x")}));
    CHECK(publish::difference(plan, {there(files[0])}) == "`build/a/k.so` is missing");
    CHECK(publish::difference(plan, {there(files[0]), old("build/a/k.so")}) ==
          "`build/a/k.so` has another content");
    CHECK(publish::difference(plan, {there(files[0]), there(files[1]), old("build/a/stale.so")}) ==
          "`build/a/stale.so` is still there");
}

TEST_CASE("the plan for people and for programs") {
    const auto content = content_of({"a"});
    const auto plan =
        publish::make_plan(options(), content, remote_with({old("build/a/stale.so")}));
    CHECK(publish::to_text(plan) == R"(repository  lab/gemm (kernel, exists)
branch      v1
  add             9 B  build/a/__init__.py
  add             4 B  build/a/k.so
  delete          7 B  build/a/stale.so
branch      main
  add             9 B  README.md
add 3 (22 B), replace 0, unchanged 0, delete 1 (7 B)
)");
    const auto json = nlohmann::json::parse(publish::to_json(plan));
    CHECK(json["repo_id"] == "lab/gemm");
    CHECK(json["branches"][0]["changes"][2]["action"] == "delete");
    CHECK(json["branches"][0]["changes"][1]["sha256"] == content.variants[0].files[1].sha256);
}
