#include "fake_tools.hpp"
#include "manifest.hpp"
#include "store_slot.hpp"

#include "kbuild/support/file.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace kbuild;
using namespace kbuild::toolchain;
namespace fs = std::filesystem;

namespace {

const SdkRequest kRequest = SdkRequest::parse("torch@2.13").value();

struct SlotFolder {
    support::TempDir temp = support::TempDir::create("/tmp", "kbuild-slot-").value();
    Store store{temp.path() / "a store"};
    fs::path place = sdk_folder(store, kRequest);
};

support::Result<void> prepare_well(const fs::path& staging, const fs::path& final_place) {
    model::TorchSdk sdk;
    sdk.name = kRequest.name();
    sdk.full_version = "2.13.0";
    sdk.root = staging;
    sdk.hipify = staging / "hipify";
    return support::write_file_atomically(staging / kManifestName,
                                          write_manifest(sdk, {"", "fine", {}}, final_place));
}

std::size_t hidden_folders(const Store& store) {
    std::size_t count = 0;
    const auto names = support::list_names(store.root()).value();
    for (const auto& name : names)
        count += name.starts_with(".tmp-") ? 1U : 0U;
    return count;
}

/// Runs `prepare` in a child that is killed in the middle of it.
void die_while_preparing(const Store& store) {
    const pid_t child = ::fork();
    if (child == 0) {
        static_cast<void>(
            fill_slot(store, kRequest, {}, [](const fs::path& staging, const fs::path&) {
                static_cast<void>(support::write_file_atomically(staging / "half", "x"));
                ::raise(SIGKILL);
                return support::Result<void>();
            }));
        ::_exit(1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    REQUIRE(WIFSIGNALED(status));
}

} // namespace

TEST_CASE("an SDK appears whole, readable for others, and is listed") {
    const SlotFolder folder;
    REQUIRE(fill_slot(folder.store, kRequest, {}, prepare_well).has_value());
    CHECK(is_complete(folder.place, kRequest.kind));
    CHECK((fs::status(folder.place).permissions() & fs::perms::others_read) != fs::perms::none);
    REQUIRE(folder.store.torch_sdks().size() == 1);
    CHECK(folder.store.torch_sdks().front().name == "torch@2.13");
    CHECK(hidden_folders(folder.store) == 0);
}

TEST_CASE("a complete SDK is not prepared again") {
    const SlotFolder folder;
    REQUIRE(fill_slot(folder.store, kRequest, {}, prepare_well).has_value());
    const auto again = fill_slot(folder.store, kRequest, {}, [](const fs::path&, const fs::path&) {
        return support::Result<void>(support::fail(support::ErrorKind::failed, "not to be called"));
    });
    CHECK(again.has_value());
}

TEST_CASE("a failed preparation leaves nothing behind") {
    const SlotFolder folder;
    const auto failed = fill_slot(folder.store, kRequest, {}, [](const fs::path&, const fs::path&) {
        return support::Result<void>(support::fail(support::ErrorKind::network, "no route"));
    });
    REQUIRE_FALSE(failed.has_value());
    CHECK(failed.error().kind == support::ErrorKind::network);
    CHECK_FALSE(support::path_exists(folder.place));
    CHECK(hidden_folders(folder.store) == 0);
}

TEST_CASE("what a killed run left is invisible, and swept by the next one") {
    const SlotFolder folder;
    die_while_preparing(folder.store);
    CHECK(hidden_folders(folder.store) == 1);
    CHECK(folder.store.torch_sdks().empty());
    REQUIRE(fill_slot(folder.store, kRequest, {}, prepare_well).has_value());
    CHECK(hidden_folders(folder.store) == 0);
    CHECK(is_complete(folder.place, kRequest.kind));
}

TEST_CASE("an SDK of another kbuild is replaced") {
    const SlotFolder folder;
    test::write(folder.place / kManifestName, R"({"format": 0})");
    std::vector<std::string> problems;
    CHECK(folder.store.torch_sdks(&problems).empty());
    CHECK(problems.size() == 1);
    REQUIRE(fill_slot(folder.store, kRequest, {}, prepare_well).has_value());
    CHECK(folder.store.torch_sdks().size() == 1);
}

TEST_CASE("a removed SDK is gone; one that is not there cannot be removed") {
    const SlotFolder folder;
    REQUIRE(fill_slot(folder.store, kRequest, {}, prepare_well).has_value());
    REQUIRE(remove_sdk(folder.store, kRequest).has_value());
    CHECK_FALSE(support::path_exists(folder.place));
    CHECK(remove_sdk(folder.store, kRequest).error().kind == support::ErrorKind::usage);
}
