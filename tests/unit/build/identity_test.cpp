#include "kbuild/build/identity.hpp"
#include "kbuild/process/runner.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;

namespace {

/// A project with one binding, not under git.
struct Project {
    support::TempDir folder =
        *support::TempDir::create(std::filesystem::temp_directory_path(), "kbuild-identity-");
    config::BuildConfig config;

    Project() {
        config.general.name.value = *model::KernelName::parse("my-kernel");
        config.framework.src = {{"torch-ext/binding.cpp", {}}};
        write("build.toml", "[general]\n");
        write("torch-ext/binding.cpp", "int binding;\n");
        write("torch-ext/my_kernel/__init__.py", "\n");
    }

    void write(const std::string& path, const std::string& text) const {
        REQUIRE(support::write_file_atomically(folder.path() / path, text));
    }

    void git(std::vector<std::string> arguments) const {
        REQUIRE(process::run_ok(
            {"git", std::move(arguments), folder.path(), process::clean_environment()},
            support::ErrorKind::failed));
    }

    build::Identity identity() const { return *build::identify(folder.path(), config); }
};

} // namespace

TEST_CASE("outside of git the identity follows the content of the sources") {
    const Project project;
    const auto first = project.identity();
    CHECK(first.unique_id.size() == 13);
    CHECK_FALSE(first.commit);
    CHECK(first.doubt.empty());
    CHECK(project.identity().unique_id == first.unique_id);
    project.write("torch-ext/binding.cpp", "int other;\n");
    CHECK(project.identity().unique_id != first.unique_id);
}

TEST_CASE("an edited kernel keeps the identity, so that bindings are not compiled again") {
    Project project;
    config::KernelComponent kernel;
    kernel.src = {{"scale.hip", {}}};
    project.config.kernels = {kernel};
    project.write("scale.hip", "first\n");
    const auto first = project.identity();
    project.write("scale.hip", "second\n");
    CHECK(project.identity().unique_id == first.unique_id);
}

TEST_CASE("a repository with SHA-256 ids counts as none, and says so") {
    const Project project;
    project.git({"init", "--quiet", "--object-format=sha256"});
    project.git({"add", "."});
    project.git(
        {"-c", "user.name=n", "-c", "user.email=e@localhost", "commit", "--quiet", "-m", "c"});
    const auto identity = project.identity();
    CHECK(identity.unique_id.size() == 13);
    CHECK_FALSE(identity.commit);
    CHECK(identity.doubt.find("record no commit") != std::string::npos);
}
