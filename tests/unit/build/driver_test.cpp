#include "kbuild/build/driver.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using config::Driver;

namespace {

model::RocmSdk sdk_with_all_drivers() {
    model::RocmSdk sdk;
    sdk.name = "rocm@6.4";
    sdk.root = "/sdk";
    sdk.clang = "/sdk/llvm/bin/clang++";
    sdk.hipcc = "/sdk/bin/hipcc";
    sdk.amdclang = "/sdk/bin/amdclang++";
    return sdk;
}

} // namespace

TEST_CASE("the automatic driver is hipcc, else amdclang++, else clang++") {
    auto sdk = sdk_with_all_drivers();
    CHECK(*build::choose_driver(Driver::automatic, sdk) == "/sdk/bin/hipcc");
    sdk.hipcc.reset();
    CHECK(*build::choose_driver(Driver::automatic, sdk) == "/sdk/bin/amdclang++");
    sdk.amdclang.reset();
    CHECK(*build::choose_driver(Driver::automatic, sdk) == "/sdk/llvm/bin/clang++");
}

TEST_CASE("a driver that is asked for by name is used or refused, never replaced") {
    auto sdk = sdk_with_all_drivers();
    CHECK(*build::choose_driver(Driver::clang, sdk) == "/sdk/llvm/bin/clang++");
    CHECK(*build::choose_driver(Driver::amdclang, sdk) == "/sdk/bin/amdclang++");
    sdk.hipcc.reset();
    sdk.amdclang.reset();
    const auto refused = build::choose_driver(Driver::hipcc, sdk);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == support::ErrorKind::toolchain);
    CHECK(refused.error().message == "rocm@6.4 has no hipcc");
    CHECK_FALSE(build::choose_driver(Driver::amdclang, sdk));
}

TEST_CASE("a hipcc that cannot run below a path with blanks is passed over aloud") {
    const auto folder =
        *support::TempDir::create(std::filesystem::temp_directory_path(), "kbuild driver-");
    auto sdk = sdk_with_all_drivers();
    sdk.root = folder.path();
    sdk.hipcc.reset(); // as probing leaves it
    REQUIRE(support::write_file_atomically(sdk.root / "bin/hipcc", "#!/bin/sh\n"));
    CHECK(build::passed_over_hipcc(Driver::automatic, sdk) ==
          "rocm@6.4: amdclang++ compiles, since hipcc cannot run below a path with blanks");
    CHECK(build::passed_over_hipcc(Driver::clang, sdk).empty());
    const auto refused = build::choose_driver(Driver::hipcc, sdk);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("it splits its own path at blanks") != std::string::npos);
}
