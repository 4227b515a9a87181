#include "kbuild/hub/answers.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace kbuild;

namespace {
const std::string kCommit(40, 'a');
const std::string kSha(64, 'b');
} // namespace

TEST_CASE("whoami: who, in which organisations, and what the token may do") {
    const auto who = hub::parse_whoami(R"({"type": "user", "name": "alice",
        "orgs": [{"name": "lab", "roleInOrg": "write"}, {"name": "club"}],
        "auth": {"type": "access_token", "accessToken": {"displayName": "ci", "role": "fineGrained",
            "fineGrained": {"scoped": [{"entity": {"type": "org", "name": "lab"},
                                        "permissions": ["repo.content.read", "repo.write"]}]}}}})");
    REQUIRE(who);
    CHECK(who->name == "alice");
    CHECK(who->orgs == std::vector<hub::Membership>{{"lab", "write"}, {"club", ""}});
    CHECK(who->token_role == "fineGrained");
    CHECK(who->token_name == "ci");
    CHECK(who->scopes ==
          std::vector<hub::Scope>{{"org", "lab", {"repo.content.read", "repo.write"}}});
    CHECK(hub::parse_whoami(R"({"name": "bob"})")->token_role.empty());
    CHECK_FALSE(hub::parse_whoami(R"({"name": 3})"));
}

TEST_CASE("what is no JSON, or HTML in its place, is said") {
    CHECK(hub::parse_refs("{\"branches\": [").error().message ==
          "the server's answer is not what it should be: it is no JSON");
    CHECK(hub::parse_refs("  <!DOCTYPE html>").error().message ==
          "the server's answer is not what it should be: it is HTML, not JSON");
    CHECK_FALSE(hub::parse_refs(""));
    CHECK_FALSE(hub::parse_refs("[]"));
}

TEST_CASE("refs: branches, tags and pull requests") {
    const auto refs = hub::parse_refs(
        R"({"branches": [{"name": "main", "ref": "refs/heads/main", "targetCommit": ")" + kCommit +
        R"("}], "tags": [], "converts": [], "pullRequests": [{"name": "refs/pr/1", "targetCommit": ")" +
        kCommit + R"("}]})");
    REQUIRE(refs);
    REQUIRE(refs->branch("main") != nullptr);
    CHECK(refs->branch("main")->commit == kCommit);
    CHECK(refs->branch("v1") == nullptr);
    CHECK(refs->pull_requests.front().name == "refs/pr/1");
    CHECK_FALSE(hub::parse_refs(R"({"branches": [{"name": "main", "targetCommit": "HEAD"}]})"));
}

TEST_CASE("a listing: files with their git and LFS ids") {
    const auto entry = [](const std::string& path, const std::string& rest) {
        return R"({"type": "file", "path": ")" + path + R"(", "size": 3, "oid": ")" + kCommit +
               "\"" + rest + "}";
    };
    const auto files =
        hub::parse_tree("[" + entry("a", "") + R"(, {"type": "directory", "path": "d"}, )" +
                        entry("d/b", R"(, "lfs": {"oid": ")" + kSha + R"("})") + "]");
    REQUIRE(files);
    CHECK(*files ==
          std::vector<hub::TreeFile>{{"a", 3, kCommit, std::nullopt}, {"d/b", 3, kCommit, kSha}});
    for (const auto* const path :
         {"../a", "/a", "a//b", "a/../b", "a\\\\b", "a\\u0007", ".git/config", ""}) {
        INFO(path);
        CHECK_FALSE(hub::parse_tree("[" + entry(path, "") + "]"));
    }
    CHECK_FALSE(hub::parse_tree("{}"));
    CHECK_FALSE(hub::parse_tree(R"([{"type": "file", "path": "a", "size": -1, "oid": ")" + kCommit +
                                "\"}]"));
}

TEST_CASE("preupload: regular or LFS") {
    const auto files = hub::parse_preupload(
        R"({"files": [{"path": "a", "uploadMode": "lfs", "shouldIgnore": true}, {"path": "b", "uploadMode": "regular"}]})");
    REQUIRE(files);
    CHECK(files->at(0).lfs);
    CHECK(files->at(0).ignored);
    CHECK_FALSE(files->at(1).lfs);
    CHECK_FALSE(hub::parse_preupload(R"({"files": [{"path": "a", "uploadMode": "xet"}]})"));
}

TEST_CASE("an LFS batch answer: missing, present and refused objects") {
    const auto batch = hub::parse_lfs_batch(
        R"({"transfer": "multipart", "objects": [
            {"oid": ")" +
        kSha + R"(", "size": 9, "actions": {"upload": {"href": "https://hub.test/done",
                "header": {"chunk_size": "5", "00002": "https://s3.test/2", "00001": "https://s3.test/1", "X-A": "b"}},
                "verify": {"href": "https://hub.test/verify"}}},
            {"oid": ")" +
        kSha + R"(", "size": 9},
            {"oid": ")" +
        kSha + R"(", "error": {"code": 404, "message": "gone"}}]})");
    REQUIRE(batch);
    const auto& upload = *batch->objects[0].upload;
    CHECK(upload.chunk_size == 5);
    CHECK(upload.parts == std::vector<std::string>{"https://s3.test/1", "https://s3.test/2"});
    CHECK(upload.headers == std::map<std::string, std::string>{{"X-A", "b"}});
    CHECK(batch->objects[0].verify);
    CHECK_FALSE(batch->objects[1].upload);
    CHECK(batch->objects[2].error_code == 404);
    CHECK(batch->objects[2].error_message == "gone");
}

TEST_CASE("an LFS batch answer that could do harm is refused") {
    const auto with_upload = [](const std::string& upload) {
        return hub::parse_lfs_batch(R"({"objects": [{"oid": ")" + kSha +
                                    R"(", "size": 9, "actions": {"upload": )" + upload + "}}]}");
    };
    CHECK(with_upload(R"({"href": "https://s3.test/1"})"));
    CHECK_FALSE(with_upload(R"({"href": "file:///etc/passwd"})"));
    CHECK_FALSE(with_upload(R"({"href": "https://s3.test", "header": {"A": "b\r\nHost: evil"}})"));
    CHECK_FALSE(with_upload(R"({"href": "https://s3.test", "header": {"A\nB": "b"}})"));
    CHECK_FALSE(with_upload(R"({"href": "https://s3.test", "header": {"chunk_size": "5"}})"));
    CHECK_FALSE(
        with_upload(R"({"href": "https://s3.test", "header": {"00001": "https://s3.test"}})"));
    CHECK_FALSE(with_upload(
        R"({"href": "https://s3.test", "header": {"chunk_size": "5", "00001": "https://a.test", "00003": "https://a.test"}})"));
}

TEST_CASE("a server's words are fit for a terminal") {
    CHECK(hub::error_text(R"({"error": "no\u001b[2Jway"})") == "no [2Jway");
    CHECK(hub::error_text(R"({"Message": "Gitea's"})") == "Gitea's");
    CHECK(hub::error_text("<html>").empty());
    CHECK(hub::error_text(R"({"error": ")" + std::string(1000, 'x') + "\"}").size() < 310);
}

TEST_CASE("the number of a pull request is at the end of its URL") {
    CHECK(hub::pull_request_number("https://hub.test/kernels/a/b/discussions/12") == 12);
    CHECK_FALSE(hub::pull_request_number("https://hub.test/kernels/a/b"));
    CHECK_FALSE(hub::pull_request_number("https://hub.test/discussions/x"));
}
