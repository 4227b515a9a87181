#include "fake_tools.hpp"
#include "manifest.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using namespace kbuild::toolchain;
namespace fs = std::filesystem;

namespace {

model::RocmSdk rocm_at(const fs::path& root) {
    model::RocmSdk sdk;
    sdk.name = "rocm@6.4";
    sdk.full_version = "6.4.43484";
    sdk.version = model::Version::parse(sdk.full_version).value();
    sdk.provider = "apt";
    sdk.origin = model::Origin::mix;
    sdk.origin_note = "of several parts";
    sdk.root = root;
    sdk.clang = root / "llvm/bin/clang++";
    sdk.hipcc = root / "bin/hipcc";
    sdk.include = root / "include";
    sdk.bitcode = root / "amdgcn/bitcode";
    sdk.hip_library = root / "lib/libamdhip64.so";
    sdk.hip_soname = "libamdhip64.so.6";
    sdk.fingerprint = "abc";
    return sdk;
}

model::TorchSdk torch_at(const fs::path& root) {
    model::TorchSdk sdk;
    sdk.name = "torch@2.13";
    sdk.full_version = "2.13.0+cu130";
    sdk.provider = "pip";
    sdk.root = root;
    sdk.include = {root / "include", root / "include/torch/csrc/api/include"};
    sdk.rocm_include = {root / "rocm_include"};
    sdk.python_include = root / "python_include";
    sdk.stub_dir = root / "stubs";
    sdk.symbols_dir = root / "symbols";
    sdk.fingerprint = "def";
    return sdk;
}

/// A folder `rocm-6.4` in a store, written as if it had been prepared elsewhere.
struct Store64 {
    support::TempDir temp = support::TempDir::create("/tmp", "kbuild manifest-").value();
    fs::path place = temp.path() / "rocm-6.4";
    void write(const std::string& text) const { test::write(place / kManifestName, text); }
};

} // namespace

TEST_CASE("a ROCm SDK read from its manifest is the one that was written, at its final place") {
    const Store64 store;
    const Making making{"Debian forky", "summary", {{"hipcc", "7.0.2-3", "00"}}};
    store.write(write_manifest(rocm_at("/staging"), making, store.place));
    const auto sdk = read_rocm_manifest(store.place);
    REQUIRE(sdk.has_value());
    const auto expected = rocm_at(store.place);
    CHECK(sdk->root == expected.root);
    CHECK(sdk->clang == expected.clang);
    CHECK(sdk->hipcc == expected.hipcc);
    CHECK_FALSE(sdk->amdclang.has_value());
    CHECK(sdk->version == expected.version);
    CHECK(sdk->origin == model::Origin::mix);
    CHECK(sdk->origin_note == expected.origin_note);
    CHECK(sdk->hip_soname == expected.hip_soname);
    CHECK(sdk->fingerprint == expected.fingerprint);
    CHECK(read_summary(store.place) == "summary");
}

TEST_CASE("a torch SDK read from its manifest is the one that was written") {
    const Store64 store;
    const auto place = store.temp.path() / "torch-2.13";
    test::write(place / kManifestName, write_manifest(torch_at("/staging"), {}, place));
    const auto sdk = read_torch_manifest(place);
    REQUIRE(sdk.has_value());
    CHECK(sdk->version == model::Version::parse("2.13"));
    CHECK(sdk->full_version == "2.13.0+cu130");
    CHECK(sdk->include == torch_at(place).include);
    CHECK(sdk->rocm_include == torch_at(place).rocm_include);
    CHECK(sdk->stub_dir == place / "stubs");
    CHECK(sdk->cxx11_abi);
}

TEST_CASE("a moved SDK, one of another kbuild and a damaged manifest are errors with the mending "
          "command") {
    const Store64 store;
    const auto good = write_manifest(rocm_at("/staging"), {}, store.place);
    const std::vector<std::string> bad = {
        write_manifest(rocm_at("/staging"), {}, "/elsewhere"),
        support::replace_all(good, "\"format\": ", "\"format\": 9"),
        support::replace_all(good, "\"kind\": \"rocm\"", "\"kind\": \"torch\""),
        support::replace_all(good, "\"6.4.43484\"", "\"x\""),
        good.substr(0, good.size() / 2),
        "[]",
        ""};
    for (const auto& text : bad) {
        store.write(text);
        const auto sdk = read_rocm_manifest(store.place);
        REQUIRE_FALSE(sdk.has_value());
        CHECK(sdk.error().kind == support::ErrorKind::toolchain);
        CHECK(sdk.error().hint == "kbuild toolchain add rocm@6.4");
    }
}

TEST_CASE("a store that is a symbolic link was not moved") {
    const Store64 store;
    store.write(write_manifest(rocm_at("/staging"), {}, store.place));
    const auto link = store.temp.path() / "a link";
    fs::create_directory_symlink(store.place.parent_path(), link);
    const auto sdk = read_rocm_manifest(link / store.place.filename());
    REQUIRE(sdk.has_value());
    CHECK(sdk->root == link / store.place.filename());
}
