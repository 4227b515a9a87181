#include "baseline_lock.hpp"
#include "stale_baselines.hpp"

#include "kbuild/portable/baseline.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <cstdlib>

using namespace kbuild;
namespace fs = std::filesystem;

namespace {

/// A store whose entries were last used some days ago.
struct StoreOfBaselines {
    support::TempDir dir = *support::TempDir::create(fs::temp_directory_path(), "kbuild-stale-");

    void put(const fs::path& file, const std::string& text, int days) const {
        REQUIRE(support::write_file_atomically(dir.path() / file, text));
        set_age(file, days);
    }
    void set_age(const fs::path& entry, int days) const {
        fs::last_write_time(dir.path() / entry,
                            fs::file_time_type::clock::now() - std::chrono::hours(24 * days));
    }
    bool has(const fs::path& entry) const { return support::path_exists(dir.path() / entry); }
};

} // namespace

TEST_CASE("a baseline that no kbuild used for ninety days is removed, others and SDKs stay") {
    const StoreOfBaselines store;
    for (const auto* name : {"baseline-used", "baseline-left", "baseline-young", "rocm-6.4"}) {
        store.put(fs::path(name) / "file", "", 0);
        store.set_age(name, 100);
    }
    store.set_age("baseline-young", 80);
    store.put(".baselines/a", "baseline-used\nstate\n", 89);
    store.put(".baselines/b", "baseline-left\nstate\n", 91);
    REQUIRE(portable::remove_stale_baselines(store.dir.path()));
    CHECK(store.has("baseline-used/file"));
    CHECK(store.has("baseline-young/file"));
    CHECK(store.has("rocm-6.4/file"));
    CHECK(store.has(".baselines/a"));
    CHECK_FALSE(store.has("baseline-left"));
    CHECK_FALSE(store.has(".baselines/b"));
}

TEST_CASE("a use is noted, so that what is used stays") {
    const StoreOfBaselines store;
    store.put("baseline-used/file", "", 0);
    store.set_age("baseline-used", 200);
    store.put(".baselines/a", "baseline-used\n", 100);
    portable::note_use(store.dir.path(), "a");
    REQUIRE(portable::remove_stale_baselines(store.dir.path()));
    CHECK(store.has("baseline-used/file"));
}

TEST_CASE("baselines are named, and removed by name; what the folder of a killed run has is none") {
    const StoreOfBaselines store;
    store.put("baseline-b/newer-names.txt", "", 0);
    store.put("baseline-a/newer-names.txt", "", 0);
    store.put("baseline-half/libc.so", "", 0);
    store.put("torch-2.14/newer-names.txt", "", 0);
    CHECK(portable::baselines_in(store.dir.path()) ==
          std::vector<std::string>{"baseline-a", "baseline-b"});
    REQUIRE(portable::remove_baseline(store.dir.path(), "baseline-a"));
    CHECK_FALSE(store.has("baseline-a"));
    CHECK(store.has("baseline-b"));
    for (const auto* name : {"baseline-a", "baseline-half", "torch-2.14"})
        CHECK(portable::remove_baseline(store.dir.path(), name).error().kind ==
              support::ErrorKind::usage);
}

TEST_CASE(
    "while another kbuild makes or removes baselines, none is noted as used and none removed") {
    const StoreOfBaselines store;
    store.put("baseline-used/newer-names.txt", "", 0);
    store.put(".baselines/a", "baseline-used\n", 100);
    const auto before = fs::last_write_time(store.dir.path() / ".baselines/a");
    const auto other = portable::lock_baselines(store.dir.path());
    REQUIRE(other);
    ::setenv("KBUILD_LOCK_TIMEOUT", "0", 1);
    portable::note_use(store.dir.path(), "a");
    const auto removed = portable::remove_baseline(store.dir.path(), "baseline-used");
    ::unsetenv("KBUILD_LOCK_TIMEOUT");
    CHECK(fs::last_write_time(store.dir.path() / ".baselines/a") == before);
    REQUIRE_FALSE(removed);
    CHECK(removed.error().kind == support::ErrorKind::lock);
    CHECK(store.has("baseline-used"));
}
