#include "device_code_builder.hpp"

#include "kbuild/inspect/device_code.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using inspect::read_device_code;
namespace fs = std::filesystem;

namespace {

class Files {
  public:
    fs::path write(const std::string& name, const std::string& bytes) const {
        REQUIRE(support::write_file_atomically(dir_.path() / name, bytes));
        return dir_.path() / name;
    }
    const fs::path& folder() const { return dir_.path(); }

  private:
    support::TempDir dir_ = *support::TempDir::create(fs::temp_directory_path(), "kbuild-inspect-");
};

std::string library_with(const std::string& fatbin) {
    test::ElfImage image;
    image.sections = {{".hip_fatbin", SHT_PROGBITS, fatbin}};
    return test::build_elf(image);
}

std::string two_arch_bundle() {
    return test::hip_bundle({{"gfx942", test::code_object("gfx942", {"gemm", "scale"})},
                             {"gfx90a", test::code_object("gfx90a", {"gemm"})}});
}

} // namespace

TEST_CASE("the device code of a library is that of all its bundles, sorted by architecture") {
    const Files files;
    auto fatbin = two_arch_bundle();
    fatbin.resize((fatbin.size() + 4095) / 4096 * 4096, '\0');
    fatbin += test::hip_bundle({{"gfx942", test::code_object("gfx942", {"other"})}});
    const auto code = read_device_code(files.write("a.so", library_with(fatbin)));
    REQUIRE(code);
    CHECK(code->bundles == 2);
    REQUIRE(code->objects.size() == 3);
    CHECK(code->objects[0].arch.to_string() == "gfx90a");
    CHECK(code->objects[1].kernels.size() == 2);
    CHECK(code->objects[2].kernels[0].name == "other");
    CHECK(model::to_string(code->archs()) == "gfx90a, gfx942");
    CHECK(code->kernel_count() == 3);
}

TEST_CASE("a library without .hip_fatbin has no device code, which is no error") {
    const Files files;
    const auto code = read_device_code(files.write("a.so", test::build_elf({})));
    REQUIRE(code);
    CHECK(code->objects.empty());
    CHECK(code->archs().empty());
}

TEST_CASE("a bare code object and a file of bundles are read as well") {
    const Files files;
    const auto bare = read_device_code(files.write("a.co", test::code_object("gfx942", {"k"})));
    REQUIRE(bare);
    CHECK(bare->kernel_count() == 1);
    CHECK(bare->bundles == 0);
    const auto plain = read_device_code(files.write("a.hipfb", two_arch_bundle()));
    REQUIRE(plain);
    CHECK(plain->kernel_count() == 2);
    const auto packed = read_device_code(
        files.write("b.hipfb", test::compressed_bundle(two_arch_bundle(), 2, test::Method::zstd)));
    REQUIRE(packed);
    CHECK(packed->compressed_bundles == 1);
    CHECK(packed->kernel_count() == 2);
}

TEST_CASE("an entry that holds code for another architecture than it says is an error") {
    const Files files;
    const auto bundle = test::hip_bundle({{"gfx942", test::code_object("gfx90a", {"k"})}});
    const auto code = read_device_code(files.write("a.so", library_with(bundle)));
    REQUIRE_FALSE(code);
    CHECK(code.error().to_string().find("gfx90a") != std::string::npos);
}

TEST_CASE("device entries that are no machine code are listed, not hidden") {
    const Files files;
    const auto bundle =
        test::plain_bundle({{"host-x86_64-unknown-linux-gnu-", ""},
                            {"hip-spirv64-amd-amdhsa-unknown-amdgcnspirv", "spirv"}});
    const auto code = read_device_code(files.write("a.so", library_with(bundle)));
    REQUIRE(code);
    CHECK(code->objects.empty());
    CHECK(code->other_targets ==
          std::vector<std::string>{"hip-spirv64-amd-amdhsa-unknown-amdgcnspirv"});
}

TEST_CASE("errors say which library, which bundle and which entry") {
    const Files files;
    const auto bundle = test::hip_bundle({{"gfx942", "not an ELF file"}});
    const auto code = read_device_code(files.write("lib.so", library_with(bundle)));
    REQUIRE_FALSE(code);
    CHECK(code.error().to_string().find("lib.so:hipv4-amdgcn-amd-amdhsa--gfx942") !=
          std::string::npos);
}

TEST_CASE("what is no binary file is an error that names it") {
    const Files files;
    for (const auto& [name, bytes] : std::vector<std::pair<std::string, std::string>>{
             {"empty.so", ""}, {"text.so", "version https://git-lfs.github.com/spec/v1\n"}}) {
        const auto code = read_device_code(files.write(name, bytes));
        REQUIRE_FALSE(code);
        CHECK(code.error().message.find(name) != std::string::npos);
    }
    CHECK_FALSE(read_device_code(files.folder()));
    CHECK_FALSE(read_device_code(files.folder() / "nothing-there.so"));
}
