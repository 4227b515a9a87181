#include "fake_tools.hpp"
#include "host_architecture.hpp"
#include "manifest.hpp"

#include "kbuild/elf/elf_file.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/add.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using namespace kbuild::toolchain;
using test::Environment;
using test::FakeMachine;
namespace fs = std::filesystem;

namespace {

/// An archive in shell: packages whose .deb holds its own name, and a dpkg-deb that knows what is
/// in them.
constexpr std::string_view kAptGet = R"SH(PATH=/usr/bin:/bin
log='@ROOT@/log'
[ "$1" = indextargets ] && { echo "Debian x http://m.example/debian/"; exit 0; }
shift 3
echo "apt-get $*" >> "$log"
case $1 in
update) [ ! -e '@ROOT@/no-network' ] || { echo "E: Could not resolve host" >&2; exit 100; } ;;
download) shift
  for p; do
    [ ! -e "@ROOT@/lost-$p" ] || { echo "E: Failed to fetch $p" >&2; exit 100; }
    printf '%s' "$p" > "${p}_1_all.deb"
    [ ! -e "@ROOT@/damaged-$p" ] || echo damage >> "${p}_1_all.deb"
  done ;;
esac
)SH";

constexpr std::string_view kAptCache = R"SH(PATH=/usr/bin:/bin
shift 4
for p; do
  v=1.0-1; d=
  case $p in
  hipcc) v=@HIPCC@-1; d="libc6, clang-21, rocm-device-libs-21" ;;
  libamdhip64-dev) v=6.4.3-1; d="libamdhip64-6" ;;
  rocm-device-libs-21) v=@HIPCC@-1 ;;
  clang-21) v=1:21.1.8-13; d="libllvm21" ;;
  libllvm21|libc6|librocwmma-dev|libamdhip64-6|clang-tools-21|lld-21|llvm-21|libclang-common-21-dev|libclang-rt-21-dev) ;;
  *) continue ;;
  esac
  printf 'Package: %s\nVersion: %s\nDepends: %s\nSize: 10\nSHA256: ' $p "$v" "$d"
  printf '%s' $p | sha256sum | cut -d' ' -f1
  echo
done
)SH";

constexpr std::string_view kDpkgDeb = R"SH(PATH=/usr/bin:/bin
p=$(cat "$2"); cd "$3"
put() { mkdir -p "$(dirname "$1")"; printf '%s' "$2" > "$1"; chmod 755 "$1"; }
case $p in
clang-21) put usr/lib/llvm-21/bin/clang++ x; put usr/lib/llvm-21/bin/clang-tidy x; put usr/share/doc/x x ;;
rocm-device-libs-21) put usr/lib/llvm-21/lib/clang/21/amdgcn/bitcode/ocml.bc x ;;
libllvm21) put usr/lib/@TRIPLE@/libLLVM.so.21.1 x; put usr/lib32/other x ;;
hipcc) put usr/bin/hipcc '#!/bin/sh' ;;
libamdhip64-dev) put usr/include/hip/hip_runtime.h x
  put usr/include/hip/hip_version.h '#define HIP_VERSION_MAJOR @MAJOR@
#define HIP_VERSION_MINOR 4
#define HIP_VERSION_PATCH 43484
' ;;
librocwmma-dev) put usr/include/rocwmma/rocwmma.hpp x ;;
libamdhip64-6) mkdir -p usr/lib/@TRIPLE@; cp '@FIXTURE@' usr/lib/@TRIPLE@/libamdhip64.so.6.4
  ln -s libamdhip64.so.6.4 usr/lib/@TRIPLE@/libamdhip64.so.6 ;;
esac
)SH";

struct Archive {
    FakeMachine machine;
    Store store{machine.store()};
    SdkRequest request = SdkRequest::parse("rocm@6.4").value();
    std::vector<std::string> progress;

    explicit Archive(const std::string& hipcc = "6.4.1", const std::string& hip_major = "6") {
        const auto fill = [&](std::string_view text) {
            std::string script(text);
            for (const auto& [name, value] : std::map<std::string, std::string>{
                     {"@ROOT@", machine.root().string()},
                     {"@HIPCC@", hipcc},
                     {"@MAJOR@", hip_major},
                     {"@TRIPLE@", std::string(host_architecture().triple)},
                     {"@FIXTURE@", KBUILD_TOOLCHAIN_FIXTURE}})
                script = support::replace_all(script, name, value);
            return script;
        };
        machine.add_program("apt-get", fill(kAptGet));
        machine.add_program("apt-cache", fill(kAptCache));
        machine.add_program("dpkg-deb", fill(kDpkgDeb));
        machine.add_program("patchelf", "exit 0\n");
        machine.add_real("cc");
    }

    void touch(const std::string& name) const { test::write(machine.root() / name, ""); }

    support::Result<AddResult> add(const AddOptions& options = {}) {
        const Environment environment(machine.variables());
        return add_sdk(
            store, request, [this](const std::string& line) { progress.push_back(line); }, options);
    }

    fs::path kept() const { return machine.root() / "kept files"; }
};

} // namespace

TEST_CASE("a ROCm SDK is made from a distribution's packages, in a path with a blank",
          "[compilers]") {
    Archive archive;
    const auto added = archive.add();
    REQUIRE(added.has_value());
    CHECK_FALSE(added->already_there);
    CHECK(added->summary == "HIP 6.4.43484, clang 21.1.8, from Debian forky (rebuild)");
    const auto sdks = archive.store.rocm_sdks();
    REQUIRE(sdks.size() == 1);
    const auto& sdk = sdks.front();
    CHECK(sdk.name == "rocm@6.4");
    CHECK(sdk.full_version == "6.4.43484");
    CHECK(sdk.provider == "apt");
    for (const auto& file : {sdk.clang,
                             sdk.include / "hip/hip_runtime.h",
                             sdk.bitcode / "ocml.bc",
                             sdk.hip_library,
                             sdk.root / "lib/cmake/hip-lang/hip-lang-config.cmake",
                             sdk.root / "bin/hipcc"})
        CHECK(support::is_file(file));
    CHECK(fs::read_symlink(sdk.hip_library) == sdk.hip_soname);
    CHECK(elf::read_elf(sdk.hip_library)->needed.empty());
}

TEST_CASE("of the packages only what a build uses is kept", "[compilers]") {
    Archive archive;
    REQUIRE(archive.add().has_value());
    const auto root = archive.store.rocm_sdks().front().root;
    CHECK_FALSE(support::path_exists(root / "llvm/bin/clang-tidy"));
    CHECK_FALSE(support::path_exists(root / "distro/usr/share"));
    CHECK_FALSE(support::path_exists(root / "distro/usr/lib32"));
    CHECK_FALSE(support::path_exists(archive.machine.downloads() / "rocm-6.4"));
}

TEST_CASE("each package is recorded with version and digest", "[compilers]") {
    Archive archive;
    REQUIRE(archive.add().has_value());
    const auto text =
        support::read_file(archive.store.rocm_sdks().front().root / kManifestName).value();
    CHECK(support::contains(text, "\"clang-21\""));
    CHECK(support::contains(text, "\"1:21.1.8-13\""));
    CHECK_FALSE(support::contains(text, "m.example"));
}

TEST_CASE("an SDK of parts with different versions is a mix, and says which", "[compilers]") {
    Archive archive("7.0.2");
    REQUIRE(archive.add().has_value());
    const auto sdk = archive.store.rocm_sdks().front();
    CHECK(sdk.origin == model::Origin::mix);
    CHECK(sdk.origin_note == "Debian forky: HIP 6.4.3, hipcc 7.0.2, device libraries 7.0.2, "
                             "clang 21.1.8 (LLVM's, not AMD's)");
}

TEST_CASE("a second add does nothing and starts nothing", "[compilers]") {
    Archive archive;
    REQUIRE(archive.add().has_value());
    const auto log = archive.machine.log();
    archive.progress.clear();
    const auto again = archive.add();
    REQUIRE(again.has_value());
    CHECK(again->already_there);
    CHECK(again->summary == "HIP 6.4.43484, clang 21.1.8, from Debian forky (rebuild)");
    CHECK(archive.machine.log() == log);
    CHECK(archive.progress.empty());
}

TEST_CASE("without network the error is of kind network, with apt's words and what is kept",
          "[compilers]") {
    Archive archive;
    archive.touch("no-network");
    const auto added = archive.add();
    REQUIRE_FALSE(added.has_value());
    CHECK(added.error().kind == support::ErrorKind::network);
    CHECK(support::contains(added.error().message, "Could not resolve host"));
    CHECK(
        support::contains(added.error().hint, (archive.machine.downloads() / "rocm-6.4").string()));
    CHECK(archive.store.rocm_sdks().empty());
}

TEST_CASE("after a download that broke off only the missing packages are fetched", "[compilers]") {
    Archive archive;
    archive.touch("lost-lld-21");
    REQUIRE(archive.add().error().kind == support::ErrorKind::network);
    fs::remove(archive.machine.root() / "lost-lld-21");
    fs::remove(archive.machine.root() / "log");
    REQUIRE(archive.add().has_value());
    CHECK(support::contains(archive.machine.log(), "lld-21"));
    CHECK_FALSE(support::contains(archive.machine.log(), "clang-21"));
}

TEST_CASE("a package that is not the one of the signed lists is refused, and fetched anew the next "
          "time",
          "[compilers]") {
    Archive archive;
    archive.touch("damaged-hipcc");
    const auto added = archive.add();
    REQUIRE_FALSE(added.has_value());
    CHECK(added.error().kind == support::ErrorKind::network);
    CHECK(support::contains(added.error().message, "hipcc_1_all.deb"));
    fs::remove(archive.machine.root() / "damaged-hipcc");
    CHECK(archive.add().has_value());
}

TEST_CASE("a suite that moved on to another HIP is refused by name", "[compilers]") {
    Archive archive("6.4.1", "7");
    const auto added = archive.add();
    REQUIRE_FALSE(added.has_value());
    CHECK(added.error().kind == support::ErrorKind::toolchain);
    CHECK(added.error().message == "Debian forky now carries HIP 7.4.43484, not 6.4");
}

TEST_CASE(
    "a missing tool is an error with the command that installs it, before anything is fetched",
    "[compilers]") {
    Archive archive;
    fs::remove(archive.machine.bin() / "patchelf");
    const auto added = archive.add();
    REQUIRE_FALSE(added.has_value());
    CHECK(added.error().kind == support::ErrorKind::toolchain);
    CHECK(added.error().hint == "apt-get install patchelf");
    CHECK(archive.machine.log().empty());
}

TEST_CASE("on a machine without apt the way out is an installed ROCm", "[compilers]") {
    Archive archive;
    fs::remove(archive.machine.bin() / "apt-get");
    const auto added = archive.add();
    REQUIRE_FALSE(added.has_value());
    CHECK(added.error().kind == support::ErrorKind::toolchain);
    CHECK(support::contains(added.error().hint, "--rocm"));
}

TEST_CASE("a version that no provider knows is a usage error with those that are known",
          "[compilers]") {
    const Archive archive;
    const auto added = add_sdk(archive.store, SdkRequest::parse("rocm@9.9").value(), {});
    REQUIRE_FALSE(added.has_value());
    CHECK(added.error().kind == support::ErrorKind::usage);
    CHECK(added.error().hint == "known are rocm@5.7, rocm@6.4, rocm@7.2");
}

TEST_CASE("saved files make the same SDK again without a network", "[compilers]") {
    Archive archive;
    AddOptions save;
    save.save = archive.kept();
    REQUIRE(archive.add(save).has_value());
    const auto first = archive.store.rocm_sdks().front();
    CHECK(support::is_file(archive.kept() / "rocm-6.4/hipcc_1_all.deb"));
    const Environment environment(archive.machine.variables());
    REQUIRE(remove_sdk(archive.store, archive.request).has_value());
    archive.touch("no-network");
    fs::remove(archive.machine.root() / "log");
    AddOptions from;
    from.from = archive.kept();
    from.offline = true;
    REQUIRE(archive.add(from).has_value());
    CHECK(archive.store.rocm_sdks().front().fingerprint == first.fingerprint);
    CHECK(archive.machine.log().empty());
}

TEST_CASE("an SDK that is there is saved with the files it was made from, once", "[compilers]") {
    Archive archive;
    REQUIRE(archive.add().has_value());
    AddOptions save;
    save.save = archive.kept();
    CHECK(archive.add(save)->already_there);
    CHECK(support::is_file(archive.kept() / "rocm-6.4/archive.json"));
    const auto log = archive.machine.log();
    CHECK(archive.add(save)->already_there);
    CHECK(archive.machine.log() == log);
}

TEST_CASE("saved files that are damaged, lost or never there are refused by name", "[compilers]") {
    Archive archive;
    AddOptions from;
    from.from = archive.kept();
    auto added = archive.add(from);
    REQUIRE_FALSE(added.has_value());
    CHECK(added.error().kind == support::ErrorKind::toolchain);
    CHECK(support::contains(added.error().message, "no saved files of rocm@6.4"));
    AddOptions save;
    save.save = archive.kept();
    REQUIRE(archive.add(save).has_value());
    {
        const Environment environment(archive.machine.variables());
        REQUIRE(remove_sdk(archive.store, archive.request).has_value());
    }
    test::write(archive.kept() / "rocm-6.4/hipcc_1_all.deb", "other");
    CHECK(support::contains(archive.add(from).error().message, "hipcc_1_all.deb` is damaged"));
    fs::remove(archive.kept() / "rocm-6.4/hipcc_1_all.deb");
    CHECK(support::contains(archive.add(from).error().message, "lack `hipcc_1_all.deb`"));
    CHECK(archive.store.rocm_sdks().empty());
}

TEST_CASE("files other than the locked ones are refused by name, before they are fetched",
          "[compilers]") {
    Archive archive;
    REQUIRE(archive.add().has_value());
    AddOptions locked;
    locked.wanted = content_of(archive.store.rocm_sdks().front().root).files;
    CHECK(archive.add(locked)->already_there);
    for (auto& file : locked.wanted)
        if (file.name == "clang-21")
            file = {file.name, "1:21.1.0-1", "00"};
    const auto message = "rocm@6.4 cannot be had as it was locked:\n"
                         "  `clang-21` is 1:21.1.8-13 now, 1:21.1.0-1 is wanted";
    CHECK(archive.add(locked).error().message == message);
    const Environment environment(archive.machine.variables());
    REQUIRE(remove_sdk(archive.store, archive.request).has_value());
    fs::remove(archive.machine.root() / "log");
    CHECK(archive.add(locked).error().message == message);
    CHECK_FALSE(support::contains(archive.machine.log(), "download"));
}

TEST_CASE("an SDK that was made from other files than the locked ones is made anew from these",
          "[compilers]") {
    Archive archive;
    REQUIRE(archive.add().has_value());
    const auto root = archive.store.rocm_sdks().front().root;
    AddOptions locked;
    locked.wanted = content_of(root).files;
    const auto made = support::read_file(root / kManifestName).value();
    const auto& some = locked.wanted.front().sha256;
    test::write(root / kManifestName,
                support::replace_all(made, some, std::string(some.size(), '0')));
    locked.offline = true;
    CHECK(support::contains(archive.add(locked).error().message, "cannot be had as it was locked"));
    locked.offline = false;
    const auto added = archive.add(locked);
    REQUIRE(added.has_value());
    CHECK_FALSE(added->already_there);
    CHECK(support::read_file(root / kManifestName).value() == made);
}

TEST_CASE("offline an SDK that is not there is an error of the network with the command",
          "[compilers]") {
    Archive archive;
    AddOptions offline;
    offline.offline = true;
    const auto added = archive.add(offline);
    REQUIRE_FALSE(added.has_value());
    CHECK(added.error().kind == support::ErrorKind::network);
    CHECK(added.error().hint == "kbuild toolchain add rocm@6.4");
    CHECK(archive.machine.log().empty());
}

TEST_CASE("an extra library is added to an SDK that is there, and stays", "[compilers]") {
    Archive archive;
    REQUIRE(archive.add().has_value());
    AddOptions extra;
    extra.extra = {"rocwmma"};
    const auto added = archive.add(extra);
    REQUIRE(added.has_value());
    CHECK_FALSE(added->already_there);
    const auto include = archive.store.rocm_sdks().front().include;
    CHECK(support::is_file(include / "rocwmma/rocwmma.hpp"));
    CHECK(archive.add(extra)->already_there);
    CHECK(archive.add()->already_there);
}

TEST_CASE("an extra library that nobody knows, or that the suite lacks, is refused by name",
          "[compilers]") {
    Archive archive;
    AddOptions extra;
    extra.extra = {"rocmagic"};
    auto added = archive.add(extra);
    REQUIRE_FALSE(added.has_value());
    CHECK(added.error().kind == support::ErrorKind::usage);
    CHECK(support::contains(added.error().hint, "rocwmma"));
    extra.extra = {"hiprand"};
    added = archive.add(extra);
    REQUIRE_FALSE(added.has_value());
    CHECK(added.error().kind == support::ErrorKind::toolchain);
    CHECK(added.error().message ==
          "Debian forky has no package `libhiprand-dev`, which `hiprand` needs");
    CHECK(extra_library_of("rocwmma/rocwmma.hpp") == "rocwmma");
    CHECK(extra_library_of("hip/hip_runtime.h").empty());
}

TEST_CASE("a store that cannot be written is an error, and nothing is fetched", "[compilers]") {
    Archive archive;
    test::write(archive.machine.root() / "data/kbuild/toolchains", "a file, and no folder");
    const auto added = archive.add();
    REQUIRE_FALSE(added.has_value());
    CHECK(archive.machine.log().empty());
}

TEST_CASE(
    "a dpkg-deb that fails is a toolchain error with its words; the next add needs no network",
    "[compilers]") {
    Archive archive;
    const auto good = support::read_file(archive.machine.bin() / "dpkg-deb").value();
    archive.machine.add_program("dpkg-deb", "echo 'No space left on device' >&2; exit 2\n");
    const auto added = archive.add();
    REQUIRE_FALSE(added.has_value());
    CHECK(added.error().kind == support::ErrorKind::toolchain);
    CHECK(support::contains(added.error().to_string(), "No space left on device"));
    CHECK(archive.store.rocm_sdks().empty());
    test::write(archive.machine.bin() / "dpkg-deb", good, true);
    fs::remove(archive.machine.root() / "log");
    CHECK(archive.add().has_value());
    CHECK_FALSE(support::contains(archive.machine.log(), "download"));
}
