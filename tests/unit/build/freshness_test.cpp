#include "kbuild/build/freshness.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>

using namespace kbuild;

namespace {

/// A project with one source, one header outside of it, and one output, all remembered.
struct RememberedProject {
    support::TempDir dir =
        *support::TempDir::create(std::filesystem::temp_directory_path(), "kbuild-fresh-");
    build::WorkFolder folder = build::work_folder(dir.path());
    std::filesystem::path source = dir.path() / "scale.hip";
    std::filesystem::path header = dir.path() / "system.h";
    std::filesystem::path output = dir.path() / "build/variant/metadata.json";

    RememberedProject() {
        REQUIRE(support::make_folder(folder.root));
        REQUIRE(support::make_folder(output.parent_path()));
        for (const auto& file : {source, header, output})
            REQUIRE(support::write_file_atomically(file, "as it was"));
        REQUIRE(build::write_stamp(folder, stamp()));
    }

    build::Stamp stamp() const {
        return {"request",
                {*build::hashed_state_of_file(source),
                 support::state_of_file(header),
                 support::state_of_file(dir.path() / "kbuild.toml")},
                {support::state_of_file(output)},
                {"left out x"},
                "text\n",
                "json\n"};
    }

    bool is_fresh() const { return build::fresh_stamp(folder, "request").has_value(); }
};

/// Gives a file another time than it has.
void touch(const std::filesystem::path& file, long seconds) {
    struct stat status{};
    REQUIRE(::stat(file.c_str(), &status) == 0);
    const timespec times[] = {{status.st_mtim.tv_sec + seconds, 0},
                              {status.st_mtim.tv_sec + seconds, 0}};
    REQUIRE(::utimensat(AT_FDCWD, file.c_str(), times, 0) == 0);
}

} // namespace

TEST_CASE("a build whose files are as they were is fresh and says what it said") {
    const RememberedProject project;
    const auto stamp = build::fresh_stamp(project.folder, "request");
    REQUIRE(stamp);
    CHECK(stamp->text == "text\n");
    CHECK(stamp->json == "json\n");
    CHECK(stamp->remarks == std::vector<std::string>{"left out x"});
}

TEST_CASE("another request is another build") {
    const RememberedProject project;
    CHECK_FALSE(build::fresh_stamp(project.folder, "another"));
}

TEST_CASE(
    "a touched source is fresh, whatever the clock said; a touched header may be another one") {
    const RememberedProject project;
    const long seconds = GENERATE(-100L, 100L);
    touch(project.source, seconds);
    CHECK(project.is_fresh());
    touch(project.header, seconds);
    CHECK_FALSE(project.is_fresh());
}

TEST_CASE("a changed source is seen even if its size and its time are as before") {
    const RememberedProject project;
    const auto before = support::state_of_file(project.source);
    REQUIRE(support::write_file_atomically(project.source, "so it is.")); // another inode
    const timespec time{before.changed / 1'000'000'000, before.changed % 1'000'000'000};
    const timespec times[] = {time, time};
    REQUIRE(::utimensat(AT_FDCWD, project.source.c_str(), times, 0) == 0);
    CHECK_FALSE(project.is_fresh());
}

TEST_CASE("a new, a removed and a changed file are seen") {
    const RememberedProject project;
    SECTION("an input that was not there") {
        REQUIRE(support::write_file_atomically(project.dir.path() / "kbuild.toml", ""));
    }
    SECTION("an input that is gone") {
        REQUIRE(support::remove_tree(project.header));
    }
    SECTION("an output that is gone") {
        REQUIRE(support::remove_tree(project.output));
    }
    SECTION("an output that was written over") {
        REQUIRE(support::write_file_atomically(project.output, "as it was!"));
    }
    CHECK_FALSE(project.is_fresh());
}

TEST_CASE("a stamp that is damaged anywhere is none") {
    const RememberedProject project;
    const auto file = project.folder.root / "stamp";
    const auto whole = *support::read_file(file);
    for (std::size_t length = 0; length < whole.size(); ++length) {
        REQUIRE(support::write_file_atomically(file, whole.substr(0, length)));
        if (project.is_fresh())
            FAIL("cut off after " << length);
    }
    for (std::size_t at = 0; at < whole.size(); ++at) {
        auto flipped = whole;
        flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at % 8)));
        REQUIRE(support::write_file_atomically(file, flipped));
        if (project.is_fresh())
            FAIL("bit flipped at " << at);
    }
    REQUIRE(support::write_file_atomically(file, whole));
    CHECK(project.is_fresh());
    REQUIRE(build::remove_stamp(project.folder));
    CHECK_FALSE(project.is_fresh());
}

TEST_CASE("a source that was changed in place and given its old time again is seen") {
    const RememberedProject project;
    const auto before = support::state_of_file(project.header);
    std::ofstream(project.header) << "so it is.";
    const timespec time{before.changed / 1'000'000'000, before.changed % 1'000'000'000};
    const timespec times[] = {time, time};
    REQUIRE(::utimensat(AT_FDCWD, project.header.c_str(), times, 0) == 0);
    CHECK(support::state_of_file(project.header).inode == before.inode);
    CHECK_FALSE(project.is_fresh());
}

TEST_CASE("an input that changed while the build ran allows no stamp") {
    const RememberedProject project;
    const auto inputs = project.stamp().inputs;
    const auto changed = inputs[0].seen_changing;
    CHECK(build::changed_between({inputs[0]}, changed - 1, changed + 1));
    CHECK_FALSE(build::changed_between({inputs[0]}, changed + 1, changed + 2));
}

TEST_CASE("an input with a time from before the clock was set back allows one") {
    const RememberedProject project;
    const auto inputs = project.stamp().inputs;
    CHECK_FALSE(build::changed_between({inputs[0]}, 1000, 2000));
}
