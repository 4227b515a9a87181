#include "scripted_transport.hpp"

#include "kbuild/hub/api.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace kbuild;
using http::Failure;
using hub::CommitOutcome;
using nlohmann::json;

namespace {

const std::string kHeadCommit(40, 'a');
const hub::Repository kRepository{hub::RepositoryType::kernel, "lab", "gemm"};

struct Hub {
    explicit Hub(ScriptedTransport::Answer answer) : transport(std::move(answer)) {}
    ScriptedTransport transport;
    NoPause pause;
    hub::Connection connection{
        transport, pause, {.attempts = 2}, "https://hub.test", http::Secret("hf_t")};
};

Hub answering(const std::string& body, long status = 200) {
    return Hub([=](const auto&) { return answer_json(body, status); });
}

} // namespace

TEST_CASE("every call carries the token") {
    auto hub = answering(R"({"name": "alice"})");
    REQUIRE(hub::whoami(hub.connection));
    CHECK(hub.transport.seen.front().url == "https://hub.test/api/whoami-v2");
    CHECK(hub.transport.seen.front().authorization.reveal() == "Bearer hf_t");
}

TEST_CASE("a refusal tells method, address, status, the server's words and the request's id") {
    Hub hub([](const auto&) {
        auto response = answer_json("{}", 403);
        response.headers.push_back({"x-error-message", "You don't have the rights"});
        response.headers.push_back({"x-request-id", "Root=1-2"});
        return response;
    });
    const auto who = hub::whoami(hub.connection);
    REQUIRE_FALSE(who);
    CHECK(who.error().kind == support::ErrorKind::network);
    CHECK(who.error().message == "GET https://hub.test/api/whoami-v2: status 403: You don't have "
                                 "the rights (request Root=1-2)");
    CHECK_FALSE(who.error().hint.empty());
}

TEST_CASE("HTML with status 200 is no answer") {
    auto hub = answering("<html>log in</html>");
    const auto who = hub::whoami(hub.connection);
    REQUIRE_FALSE(who);
    CHECK(who.error().message ==
          "GET https://hub.test/api/whoami-v2: the server's answer is not what it "
          "should be: it is HTML, not JSON");
}

TEST_CASE("a repository that is not there has no refs; another refusal is an error") {
    auto missing = answering("{}", 404);
    CHECK(hub::refs(missing.connection, kRepository).value() == std::nullopt);
    auto broken = answering("{}", 500);
    CHECK_FALSE(hub::refs(broken.connection, kRepository));
}

TEST_CASE("creating what is there already is fine") {
    auto hub =
        answering(R"({"error": "exists", "url": "https://hub.test/kernels/lab/renamed"})", 409);
    const auto repository = hub::create_repository(hub.connection, kRepository, true);
    REQUIRE(repository);
    CHECK(repository->id() == "lab/renamed");
    CHECK(json::parse(text_of(hub.transport.seen.front())) == json({{"name", "gemm"},
                                                                    {"organization", "lab"},
                                                                    {"visibility", "private"},
                                                                    {"type", "kernel"}}));
    CHECK(hub::create_branch(hub.connection, kRepository, "v1", "main"));
    CHECK(path_of(hub.transport.seen.back()) == "/api/kernels/lab/gemm/branch/v1");
}

TEST_CASE("a listing is read to its last page, in order, and the token stays at the endpoint") {
    Hub hub([](const http::Request& request) {
        const bool first = request.url.find("cursor") == std::string::npos;
        auto response =
            answer_json(R"([{"type": "file", "path": ")" + std::string(first ? "z" : "a") +
                        R"(", "size": 1, "oid": ")" + kHeadCommit + "\"}]");
        if (first)
            response.headers.push_back(
                {"link", "<https://other.test/next?cursor=1>; rel=\"next\""});
        return response;
    });
    const auto files = hub::tree(hub.connection, kRepository, "refs/pr/1");
    REQUIRE(files);
    REQUIRE(files->size() == 2);
    CHECK(files->front().path == "a");
    CHECK(path_of(hub.transport.seen[0]) ==
          "/api/kernels/lab/gemm/tree/refs%2Fpr%2F1?recursive=true&expand=false");
    CHECK(hub.transport.seen[1].authorization.empty());
}

TEST_CASE("preupload asks for 256 files at a time, and an empty file is never LFS") {
    std::vector<hub::Candidate> files;
    for (int i = 0; i < 300; ++i)
        files.push_back({"f" + std::to_string(i), static_cast<std::uint64_t>(i), "ab"});
    Hub hub([](const http::Request& request) {
        auto answers = json::array();
        const auto asked = json::parse(text_of(request));
        for (const auto& file : asked["files"])
            answers.push_back({{"path", file["path"]}, {"uploadMode", "lfs"}});
        return answer_json(json({{"files", answers}}).dump());
    });
    const auto modes = hub::preupload(hub.connection, kRepository, "v1", files, true);
    REQUIRE(modes);
    REQUIRE(modes->size() == 300);
    CHECK(hub.transport.seen.size() == 2);
    CHECK(path_of(hub.transport.seen[0]) == "/api/kernels/lab/gemm/preupload/v1?create_pr=1");
    CHECK(json::parse(text_of(hub.transport.seen[0]))["files"][1] ==
          json({{"path", "f1"}, {"sample", "YWI="}, {"size", 1}}));
    CHECK_FALSE(modes->at(0).lfs);
    CHECK(modes->at(299).path == "f299");
    CHECK(modes->at(299).lfs);
}

TEST_CASE("a commit is one line for its header and one for each file") {
    hub::Commit commit{.summary = "s", .parent = kHeadCommit, .deleted = {"old"}};
    commit.files = {{"a", "xyz"}, {"empty", ""}};
    commit.lfs_files = {{"b.so", std::string(64, 'b'), 7}};
    CHECK(hub::to_ndjson(commit) ==
          R"({"key":"header","value":{"summary":"s","description":"","parentCommit":")" +
              kHeadCommit +
              R"("}}
{"key":"file","value":{"content":"eHl6","path":"a","encoding":"base64"}}
{"key":"file","value":{"content":"","path":"empty","encoding":"base64"}}
{"key":"lfsFile","value":{"path":"b.so","algo":"sha256","oid":")" +
              std::string(64, 'b') + R"(","size":7}}
{"key":"deletedFile","value":{"path":"old"}}
)");
}

TEST_CASE("what became of a commit") {
    const hub::Commit commit{.summary = "s", .create_pull_request = true};
    const auto outcome = [&commit](const ScriptedTransport::Answer& answer) {
        Hub hub(answer);
        auto result = hub::commit(hub.connection, kRepository, "v1", commit);
        CHECK(hub.transport.seen.size() == 1);
        return result;
    };
    const auto with_status = [&outcome](long status) {
        return outcome([status](const auto&) { return answer_json("{}", status); });
    };
    SECTION("done") {
        const auto done = outcome([](const auto&) {
            return answer_json(R"({"commitOid": ")" + kHeadCommit +
                               R"(", "pullRequestUrl": "https://hub.test/discussions/1"})");
        });
        REQUIRE(done);
        CHECK(done->kind == CommitOutcome::Kind::done);
        CHECK(done->answer.commit == kHeadCommit);
        CHECK(done->answer.pull_request_url == "https://hub.test/discussions/1");
    }
    SECTION("somebody else was faster") {
        CHECK(with_status(412)->kind == CommitOutcome::Kind::moved);
        CHECK(with_status(409)->kind == CommitOutcome::Kind::moved);
    }
    SECTION("nobody knows: it is not sent again before the head was read") {
        CHECK(with_status(500)->kind == CommitOutcome::Kind::unknown);
        CHECK(with_status(504)->kind == CommitOutcome::Kind::unknown);
        CHECK(outcome([](const auto&) {
                  return tl::unexpected(Failure{Failure::Kind::broken, "reset"});
              })->kind == CommitOutcome::Kind::unknown);
        CHECK(outcome([](const auto&) { return answer_json("<html>"); })->kind ==
              CommitOutcome::Kind::unknown);
    }
    SECTION("refused") {
        CHECK_FALSE(with_status(400));
        CHECK_FALSE(with_status(403));
        CHECK_FALSE(with_status(413));
        CHECK_FALSE(with_status(422));
    }
}
