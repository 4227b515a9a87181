#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
namespace fs = std::filesystem;

namespace {

const std::string kRocm = "torch213-cxx11-rocm72-x86_64-linux";
const std::string kCpu = "torch213-cxx11-cpu-x86_64-linux";

class Project {
  public:
    void add(const std::string& folder, bool metadata = true) const {
        REQUIRE(support::make_folder(path() / folder));
        if (metadata)
            REQUIRE(support::write_file_atomically(path() / folder / "metadata.json", "{}"));
    }
    const fs::path& path() const { return dir_.path(); }
    std::vector<fs::path> found() const {
        std::vector<fs::path> paths;
        const auto variants = layout::discover(path());
        REQUIRE(variants);
        for (const auto& variant : *variants)
            paths.push_back(variant.path.lexically_relative(path()));
        return paths;
    }

  private:
    support::TempDir dir_ =
        *support::TempDir::create(fs::temp_directory_path(), "kbuild-discover-");
};

} // namespace

TEST_CASE("variants are found in build/, sorted") {
    const Project project;
    project.add("build/" + kRocm);
    project.add("build/" + kCpu);
    project.add("build/torch-rocm");
    CHECK(project.found() ==
          std::vector<fs::path>{"build/torch-rocm", "build/" + kCpu, "build/" + kRocm});
}

TEST_CASE("result/ goes before build/, build/ before the folder itself") {
    const Project project;
    project.add(kCpu);
    CHECK(project.found() == std::vector<fs::path>{kCpu});
    project.add("build/" + kCpu);
    CHECK(project.found() == std::vector<fs::path>{"build/" + kCpu});
    project.add("elsewhere/" + kRocm);
    fs::create_directory_symlink("elsewhere", project.path() / "result");
    CHECK(project.found() == std::vector<fs::path>{"result/" + kRocm});
}

TEST_CASE("a folder that is a variant itself is that one") {
    const Project project;
    project.add("build/" + kRocm);
    const auto found = layout::discover(project.path() / "build" / (kRocm + "/"));
    REQUIRE(found);
    REQUIRE(found->size() == 1);
    CHECK(found->front().variant.name() == kRocm);
    CHECK(layout::folder_name(project.path() / "build" / (kRocm + "/")) == kRocm);
}

TEST_CASE("what is only meant to be a variant is found for checking, not for use") {
    const Project project;
    project.add("build/" + kRocm, false);
    project.add("build/not-a-variant");
    project.add("build/neither", false);
    CHECK_FALSE(layout::discover(project.path()));
    const auto folders = layout::discover_folders(project.path());
    REQUIRE(folders);
    CHECK(*folders == std::vector<fs::path>{project.path() / "build/not-a-variant",
                                            project.path() / "build" / kRocm});
}

TEST_CASE("nothing found is an error that names the three places") {
    const Project project;
    const auto found = layout::discover(project.path());
    REQUIRE_FALSE(found);
    CHECK(found.error().kind == support::ErrorKind::nothing);
    for (const auto* place : {"result", "build"})
        CHECK(found.error().message.find(place) != std::string::npos);
    CHECK_FALSE(layout::discover(project.path() / "no-such-folder"));
}
