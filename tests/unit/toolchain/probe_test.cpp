#include "fake_tools.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/find.hpp"
#include "kbuild/toolchain/probe.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using namespace kbuild::toolchain;
namespace fs = std::filesystem;

namespace {

/// A compiler that says `said` and fails, or that compiles nothing and names the headers it took.
struct Sdk {
    test::FakeMachine machine;
    fs::path root = machine.root() / "opt/rocm-7.2";
    model::RocmSdk sdk;

    explicit Sdk(const std::string& clang) {
        test::make_amd_rocm(root, "7", "2");
        test::write(root / "lib/llvm/bin/clang++", "#!/bin/sh\nPATH=/usr/bin:/bin\n" + clang, true);
        FindOptions options;
        options.opt = root.parent_path();
        sdk = find_sdks(options)->rocm.at(0);
        for (const auto* tool : {"cmake", "ninja", "g++", "cc"})
            machine.add_real(tool);
    }

    support::Result<std::string> prove() const {
        const test::Environment environment(machine.variables());
        return prove_rocm(sdk);
    }
};

/// Writes what clang does with -MF, then an object without device code.
constexpr std::string_view kCompiles = R"SH(
echo run >> "$HOME/compiled"
while [ $# -gt 0 ]; do
  case $1 in -MF) dep=$2 ;; -o) out=$2 ;; esac
  shift
done
printf 'probe.o: probe.hip \\\n  %s\n' '@HEADER@' > "$dep"
echo 'int x;' | g++ -x c++ -fPIC -c -o "$out" -
)SH";

} // namespace

TEST_CASE("the header that was compiled with is read from a dependency file") {
    CHECK(hip_version_header("a.o: a.hip \\\n  /opt/rocm/include/hip/hip_version.h \\\n  b.h\n") ==
          "/opt/rocm/include/hip/hip_version.h");
    CHECK(hip_version_header("a.o: /a\\ b/hip/hip_version.h\n") == "/a b/hip/hip_version.h");
    CHECK(hip_version_header("a.o: a.hip\n").empty());
}

TEST_CASE("a distribution's header that wins over the SDK's is named with the way to its package") {
    test::FakeMachine other;
    const auto shadow = other.root() / "usr/include/hip/hip_version.h";
    test::write(shadow, "");
    auto blanks = support::replace_all(shadow.string(), " ", "\\ ");
    const Sdk sdk(support::replace_all(std::string(kCompiles), "@HEADER@", blanks));
    const auto proven = sdk.prove();
    REQUIRE_FALSE(proven.has_value());
    CHECK(proven.error().kind == support::ErrorKind::toolchain);
    CHECK(support::contains(proven.error().message, shadow.string()));
    CHECK(support::contains(proven.error().hint, "dpkg -S"));
}

TEST_CASE("missing C++ headers are explained: clang takes the newest GCC folder") {
    const Sdk sdk("echo \"fatal error: 'cmath' file not found\" >&2; exit 1\n");
    const auto proven = sdk.prove();
    REQUIRE_FALSE(proven.has_value());
    CHECK(support::contains(proven.error().to_string(), "'cmath' file not found"));
    CHECK(support::contains(proven.error().hint, "libstdc++-N-dev"));
}

TEST_CASE("bitcode of another compiler is explained, with its folder") {
    const Sdk sdk("echo \"error: Unknown attribute kind (102)\" >&2; exit 1\n");
    const auto proven = sdk.prove();
    REQUIRE_FALSE(proven.has_value());
    CHECK(support::contains(proven.error().hint, sdk.sdk.bitcode.string()));
    CHECK(support::contains(proven.error().hint, "rocm-device-libs"));
}

TEST_CASE("a ROCm without the file that tells clang its version is explained") {
    const Sdk sdk("echo 'call to __host__ function from __global__ function' >&2; exit 1\n");
    CHECK(support::contains(sdk.prove().error().hint, "no `share/hip/version`"));
    test::write(sdk.root / "share/hip/version", "HIP_VERSION_MAJOR=7\n");
    CHECK(sdk.prove().error().hint.empty());
}

TEST_CASE("a compiler that leaves no device code is found out, and a failure is tried again") {
    const Sdk sdk(support::replace_all(std::string(kCompiles), "@HEADER@", ""));
    for (int i = 0; i < 2; ++i) {
        const auto proven = sdk.prove();
        REQUIRE_FALSE(proven.has_value());
    }
    CHECK(support::read_file(sdk.machine.root() / "compiled").value() == "run\nrun\n");
}
