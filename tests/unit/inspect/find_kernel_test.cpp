#include "device_code_builder.hpp"

#include "kbuild/inspect/device_code.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
namespace fs = std::filesystem;

namespace {

class Place {
  public:
    fs::path write(const std::string& bytes) const {
        REQUIRE(support::write_file_atomically(dir_.path() / "file", bytes));
        return dir_.path() / "file";
    }

  private:
    support::TempDir dir_ = *support::TempDir::create(fs::temp_directory_path(), "kbuild-inspect-");
};

} // namespace

TEST_CASE("a kernel is found in every architecture that has it, with its code object's bytes") {
    const Place place;
    const auto first = test::code_object("gfx942", {"gemm", "scale"});
    const auto second = test::code_object("gfx90a", {"gemm"});
    const auto path = place.write(test::hip_bundle({{"gfx942", first}, {"gfx90a", second}}));
    const auto gemm = inspect::find_kernel(path, "gemm");
    REQUIRE(gemm);
    REQUIRE(gemm->size() == 2);
    CHECK(gemm->at(0).arch.to_string() == "gfx942");
    CHECK(gemm->at(0).bytes == first);
    CHECK(gemm->at(1).bytes == second);
    CHECK(inspect::find_kernel(path, "scale")->size() == 1);
    CHECK(inspect::find_kernel(path, "nothing")->empty());
}

TEST_CASE("a kernel may be given as people read it") {
    const Place place;
    const auto path = place.write(test::code_object("gfx942", {"_Z4gemmPf"}));
    const auto found = inspect::find_kernel(path, "gemm(float*)");
    REQUIRE(found);
    REQUIRE(found->size() == 1);
    CHECK(found->at(0).kernel == "_Z4gemmPf");
}

TEST_CASE("a file without device code has no kernels") {
    const Place place;
    const auto found = inspect::find_kernel(place.write(test::build_elf({})), "gemm");
    REQUIRE(found);
    CHECK(found->empty());
}
