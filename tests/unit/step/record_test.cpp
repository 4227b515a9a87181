#include "kbuild/step/record.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>

using namespace kbuild;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kGiB = 1ULL << 30U;

struct Folder {
    Folder() {
        std::string name = (fs::temp_directory_path() / "kbuild-peaks-XXXXXX").string();
        path = ::mkdtemp(name.data());
    }
    ~Folder() { fs::remove_all(path); }
    fs::path path;
};

} // namespace

TEST_CASE("a unit's peak is read back, another's is not") {
    const Folder folder;
    const step::Peak peak{"rocm64/a b.hip.o", 2 * kGiB, kGiB};
    step::write_peak(folder.path, peak);
    CHECK(step::read_peak(folder.path, peak.unit) == peak);
    CHECK(step::read_peak(folder.path, "other.o") == step::Peak{"other.o", 0, 0});
    CHECK(step::read_peaks(folder.path) == std::vector{peak});
}

TEST_CASE("a record that was cut off is no record") {
    const Folder folder;
    step::write_peak(folder.path, {"a.o", kGiB, kGiB});
    for (const auto& file : fs::directory_iterator(folder.path / step::kPeaks))
        std::ofstream(file.path()) << "1073";
    CHECK(step::read_peak(folder.path, "a.o").remembered == 0);
    CHECK(step::read_peaks(folder.path).empty());
}

TEST_CASE("the last compile counts, and an object from the cache is none") {
    const step::Peak old{"a.o", 2 * kGiB, 2 * kGiB};
    CHECK(step::updated(old, kGiB) == step::Peak{"a.o", kGiB, kGiB});
    CHECK(step::updated(old, 9 << 20) == step::Peak{"a.o", 2 * kGiB, 9 << 20});
}
