#include "kbuild/publish/journal.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using publish::Journal;

TEST_CASE("a journal tells the next run what this one did") {
    const auto folder = support::TempDir::create("/tmp", "kbuild-journal-").value();
    const auto file = folder.path() / "deep/journal.json";
    {
        Journal journal(file);
        CHECK_FALSE(journal.resumed());
        journal.object_arrived("abc");
        journal.before_pull_request("v1", {1, 2});
        journal.pull_request_opened("v1", 3);
    }
    Journal next(file);
    CHECK(next.resumed());
    CHECK(next.entries().objects == std::set<std::string>{"abc"});
    CHECK(next.entries().pull_requests.at("v1") == 3);
    CHECK(next.entries().before.at("v1") == std::vector<std::uint64_t>{1, 2});
    next.finish();
    CHECK_FALSE(support::path_exists(file));
}

TEST_CASE("a damaged journal counts as none") {
    for (const auto* const text : {"",
                                   "{",
                                   "[]",
                                   R"({"schema": 2})",
                                   R"({"schema": 1, "objects": 3})",
                                   R"({"schema":1,"objects":[1],"pull_requests":{},"before":{}})"})
        CHECK_FALSE(publish::read_journal(text));
    const auto folder = support::TempDir::create("/tmp", "kbuild-journal-").value();
    REQUIRE(support::write_file_atomically(folder.path() / "j", "{"));
    CHECK_FALSE(Journal(folder.path() / "j").resumed());
}

TEST_CASE("without a place to write to the upload goes on, and the reason is kept") {
    Journal journal("/proc/nowhere/journal.json");
    journal.object_arrived("abc");
    REQUIRE(journal.problem());
    CHECK(journal.entries().objects.size() == 1);
}
