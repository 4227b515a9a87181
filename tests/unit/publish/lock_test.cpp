#include "scripted_transport.hpp"

#include "kbuild/publish/download.hpp"
#include "kbuild/publish/lock.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using publish::KernelLocks;

namespace {

const std::string kOne(40, '1');
const std::string kTwo(40, '2');

/// A Hub with two kernels: `lab/a` version 1 depends on what `depends` says, `lab/b` on nothing.
struct TwoKernels {
    std::string depends;
    ScriptedTransport transport{
        [this](const http::Request& request) { return answer(path_of(request)); }};
    NoPause pause;
    hub::Connection connection{transport, pause, {}, "https://hub.test", {}};

    http::Response answer(const std::string& path) const {
        const bool first = path.find("lab/a") != std::string::npos;
        const auto commit = first ? kOne : kTwo;
        if (path.ends_with("/refs"))
            return answer_json(R"({"branches": [{"name": "main", "targetCommit": ")" + commit +
                               R"("}, {"name": "v1", "targetCommit": ")" + commit +
                               R"("}], "tags": [{"name": "stable", "targetCommit": ")" + commit +
                               R"("}]})");
        if (path.find("/tree/") != std::string::npos)
            return answer_json(
                R"([{"type": "file", "path": "build/torch-cpu/metadata.json", "size": 9, "oid": ")" +
                commit + R"("}])");
        return answer_json(
            R"({"name":"kk","id":"_kk_cpu_1","version":1,"license":"MIT","python-depends":[],"backend":{"type":"cpu"},"kernel-depends":[)" +
            (first ? depends : "") + "]}");
    }
};

} // namespace

TEST_CASE("a lock is written as the kernels package writes it, and read again") {
    const KernelLocks locks = {{{"lab/k", 10, ""}, kOne},
                               {{"lab/k", 9, ""}, kTwo},
                               {{"lab/k", std::nullopt, "main"}, kOne},
                               {{"lab/a", 1, ""}, kTwo}};
    const auto text = publish::write_lock(locks);
    CHECK(text.starts_with("[\n  {\n    \"dependency\": {\n      \"repo-id\": \"lab/a\",\n      "
                           "\"version\": 1\n    },\n"
                           "    \"lock\": {\n      \"commit\": \"2222"));
    CHECK(text.find("\"version\": 9") < text.find("\"version\": 10"));
    CHECK(text.find("\"version\": 10") < text.find("\"revision\": \"main\""));
    CHECK(text.ends_with("  }\n]"));
    CHECK(publish::read_lock(text).value() == locks);
}

TEST_CASE("what is no lock file") {
    for (const auto* const text :
         {"",
          "{",
          "[1]",
          R"([{"dependency": {"repo-id": "a/b"}, "lock": {"commit": "x"}}])",
          R"([{"dependency": {"repo-id": "a/b", "version": 1}, "lock": {"commit": "HEAD"}}])"})
        CHECK_FALSE(publish::read_lock(text));
    const auto entry = R"({"dependency": {"repo-id": "a/b", "version": 1}, "lock": {"commit": ")" +
                       kOne + R"("}})";
    CHECK_FALSE(publish::read_lock("[" + entry + "," + entry + "]"));
}

TEST_CASE("dependencies of dependencies are locked, those of all variants") {
    TwoKernels hub{R"({"repo-id": "lab/b", "version": 1})"};
    const auto locks = publish::make_lock(hub.connection, {{"lab/a", 1, ""}});
    REQUIRE(locks);
    CHECK(*locks == KernelLocks{{{"lab/a", 1, ""}, kOne}, {{"lab/b", 1, ""}, kTwo}});
}

TEST_CASE("a kernel that depends on itself is an error") {
    TwoKernels hub{R"({"repo-id": "lab/a", "version": 1})"};
    const auto locks = publish::make_lock(hub.connection, {{"lab/a", 1, ""}});
    REQUIRE_FALSE(locks);
    CHECK(locks.error().message == "`lab/a@1` depends on itself");
}

TEST_CASE("a version, a branch, a tag, a commit, or the newest version") {
    TwoKernels hub{};
    const auto resolved = [&hub](const std::string& text) {
        const auto spec = publish::KernelSpec::parse(hub::RepositoryType::kernel, text);
        REQUIRE(spec);
        return publish::resolve_commit(hub.connection, *spec);
    };
    for (const auto* const text : {"lab/a", "lab/a@1", "lab/a@main", "lab/a@stable"})
        CHECK(resolved(text) == kOne);
    CHECK(resolved("lab/a@" + kTwo) == kTwo);
    CHECK(resolved("lab/a@2").error().hint == "published are 1");
    CHECK_FALSE(resolved("lab/a@nope"));
    CHECK_FALSE(publish::KernelSpec::parse(hub::RepositoryType::kernel, "lab/a@"));
}

TEST_CASE("what changed since a lock was written") {
    const KernelLocks written = {{{"lab/a", 1, ""}, kOne}, {{"lab/old", 1, ""}, kOne}};
    const KernelLocks now = {{{"lab/a", 1, ""}, kTwo}, {{"lab/new", 1, ""}, kOne}};
    CHECK(
        publish::compare_locks(written, now) ==
        std::vector<std::string>{"lab/a@1 is locked at 111111111111, the branch is at 222222222222",
                                 "lab/new@1 is not locked",
                                 "lab/old@1 is locked but nothing depends on it"});
}
