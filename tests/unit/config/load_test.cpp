#include "parse.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <filesystem>

using namespace kbuild;
namespace fs = std::filesystem;

namespace {

support::TempDir temp_dir() {
    return std::move(support::TempDir::create(fs::temp_directory_path(), "kbuild-load-").value());
}

} // namespace

TEST_CASE("a project is found from any folder below it") {
    const auto folder = temp_dir();
    const auto root = fs::canonical(folder.path());
    REQUIRE(support::write_file_atomically(root / "build.toml", ""));
    fs::create_directories(root / "a" / "b");
    CHECK(config::find_project(root).value() == root);
    CHECK(config::find_project(root / "a" / "b").value() == root);
}

TEST_CASE("without a project the error says where was looked and how to make one") {
    const auto folder = temp_dir();
    const auto found = config::find_project(folder.path());
    REQUIRE_FALSE(found);
    CHECK(found.error().kind == support::ErrorKind::config);
    CHECK(found.error().message.find(folder.path().filename().string()) != std::string::npos);
    CHECK(found.error().hint.find("kbuild init") != std::string::npos);
}

TEST_CASE("a folder without build.toml is an error of kind config") {
    const auto folder = temp_dir();
    diag::Collector findings;
    const auto config = config::load_build_config(folder.path(), findings);
    REQUIRE_FALSE(config);
    CHECK(config.error().kind == support::ErrorKind::config);
}

TEST_CASE("without kbuild.toml the settings are the defaults") {
    const auto folder = temp_dir();
    diag::Collector findings;
    const auto settings = config::load_settings(folder.path(), findings);
    REQUIRE((settings && *settings));
    CHECK_FALSE((*settings)->has_matrix());
}

TEST_CASE("loading a project tells the mistakes of both files and of the listed ones in one run") {
    const auto folder = temp_dir();
    REQUIRE(support::write_file_atomically(folder.path() / "build.toml",
                                           parse::minimal("nonsense = 1\n")));
    REQUIRE(support::write_file_atomically(folder.path() / "kbuild.toml", "nonsense = 1\n"));
    diag::Collector findings;
    const auto project = config::load_project(folder.path(), findings);
    REQUIRE(project);
    CHECK_FALSE(*project);
    std::string codes;
    for (const auto& finding : findings.sorted())
        codes += finding.code + " ";
    CHECK(codes == "K0901 K0104 K0104 ");
}

TEST_CASE("a project without mistakes is loaded whole") {
    const auto folder = temp_dir();
    REQUIRE(support::write_file_atomically(folder.path() / "build.toml", parse::minimal()));
    REQUIRE(support::write_file_atomically(folder.path() / "gemm.hip", ""));
    REQUIRE(support::write_file_atomically(folder.path() / "kbuild.toml",
                                           "[matrix]\ntorch = [\"2.13\"]\n"));
    diag::Collector findings;
    const auto project = config::load_project(folder.path(), findings);
    REQUIRE((project && *project));
    CHECK((*project)->config.kernels.size() == 1);
    CHECK((*project)->settings.has_matrix());
    CHECK(findings.sorted().empty());
}
