#include "kbuild/precompile/precompiled.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

using namespace kbuild::precompile;
using kbuild::support::list_names;
using kbuild::support::TempDir;
using Names = std::vector<std::string>;
namespace fs = std::filesystem;

namespace {

/// A store of entries of 1000 bytes each.
struct Store {
    TempDir folder = *TempDir::create(fs::temp_directory_path(), "kbuild-prune-");
    void add(const std::string& name, std::chrono::hours age, bool whole = true) const {
        const auto entry = folder.path() / name;
        const auto time = fs::file_time_type::clock::now() - age;
        REQUIRE(
            kbuild::support::write_file_atomically(entry / "headers.pch", std::string(998, 'x')));
        if (whole) {
            REQUIRE(kbuild::support::write_file_atomically(entry / "index", "i\n"));
            fs::last_write_time(entry / "index", time);
        }
        fs::last_write_time(entry, time);
    }
    Names names() const { return *list_names(folder.path()); }
};

} // namespace

TEST_CASE("what was used least recently goes first, until the rest fits") {
    Store store;
    store.add("a", std::chrono::hours(5));
    store.add("b", std::chrono::hours(9));
    store.add("c", std::chrono::hours(2));
    CHECK(prune(store.folder.path(), 2000, std::chrono::seconds(0)).value() == 1000);
    CHECK(store.names() == Names{"a", "c"});
    CHECK(prune(store.folder.path(), 2000, std::chrono::seconds(0)).value() == 0);
    CHECK(prune(store.folder.path(), 0, std::chrono::seconds(0)).value() == 2000);
    CHECK(store.names().empty());
}

TEST_CASE("what was used lately stays, whatever the size") {
    Store store;
    store.add("lately", std::chrono::hours(1));
    store.add("long-ago", std::chrono::hours(3));
    CHECK(prune(store.folder.path(), 0, std::chrono::hours(2)).value() == 1000);
    CHECK(store.names() == Names{"lately"});
}

TEST_CASE("what was never finished goes by the time of its folder: one that is being made stays") {
    Store store;
    store.add("being-made", std::chrono::hours(0), false);
    store.add("killed", std::chrono::hours(30), false);
    CHECK(prune(store.folder.path(), 0, std::chrono::hours(24)).value() == 998);
    CHECK(store.names() == Names{"being-made"});
}

TEST_CASE("a store that is not there yet has nothing to prune") {
    Store store;
    CHECK(prune(store.folder.path() / "none", 0, std::chrono::seconds(0)).value() == 0);
}
