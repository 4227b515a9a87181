#include "parse.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <filesystem>
#include <sys/stat.h>

using namespace kbuild;
namespace fs = std::filesystem;
using Places = std::vector<std::string>;

namespace {

/// A project folder beside a folder that does not belong to it.
class Project {
  public:
    Project()
        : folder_(std::move(
              support::TempDir::create(fs::temp_directory_path(), "kbuild-files-").value())) {
        add("gemm.hip");
        add("../outside/other.hip");
    }

    fs::path root() const { return folder_.path() / "project"; }

    void add(const std::string& name) const {
        REQUIRE(support::write_file_atomically(root() / name, ""));
    }

    /// The findings about `[kernel.gemm]` with this `src` and further lines.
    std::vector<parse::Diagnostic> check(const std::string& src,
                                         const std::string& extra = {}) const {
        auto text = parse::minimal(extra);
        const std::string old = "src = [\"gemm.hip\"]";
        text.replace(text.find(old), old.size(), "src = [" + src + "]");
        const auto outcome = parse::text(text);
        REQUIRE(outcome.config);
        diag::Collector findings;
        config::check_listed_files(*outcome.config, root(), findings);
        return findings.sorted();
    }

    parse::Diagnostic check_one(const std::string& src, const std::string& extra = {}) const {
        const auto findings = check(src, extra);
        REQUIRE(findings.size() == 1);
        return findings.front();
    }

  private:
    support::TempDir folder_;
};

} // namespace

TEST_CASE("files that are there have no findings") {
    const Project project;
    CHECK(project.check("\"gemm.hip\"").empty());
}

TEST_CASE("a file that is missing is told with the one that was probably meant") {
    const Project project;
    project.add("kernels/softmax.hip");
    const auto finding = project.check_one("\"gemm.hip\", \"kernels/sofmax.hip\"");
    CHECK(finding.code == "K0901");
    CHECK(finding.span.begin == diag::Position{11, 20});
    CHECK(finding.help == Places{"did you mean `kernels/softmax.hip`?"});
}

TEST_CASE("all missing files are told, not only the first") {
    const Project project;
    CHECK(project.check("\"a.hip\", \"b.hip\", \"nowhere/c.hip\"").size() == 3);
}

TEST_CASE("a file in a folder that is missing says so") {
    const Project project;
    CHECK(project.check_one("\"nowhere/c.hip\"").notes ==
          Places{"there is no folder `nowhere` either"});
}

TEST_CASE("folders and FIFOs are no sources, and a FIFO does not block") {
    const Project project;
    fs::create_directory(project.root() / "folder");
    REQUIRE(::mkfifo((project.root() / "fifo").c_str(), 0600) == 0);
    CHECK(project.check_one("\"folder\"").label == "a folder");
    CHECK(project.check_one("\"fifo\"").label == "a FIFO");
    CHECK(project.check_one("\"fifo\"").code == "K0902");
}

TEST_CASE("paths that leave the project are refused, however they do it") {
    const Project project;
    fs::create_symlink("../outside/other.hip", project.root() / "link.hip");
    fs::create_directory_symlink("../outside", project.root() / "linked");
    for (const auto* path : {"\"../outside/other.hip\"",
                             "\"/etc/passwd\"",
                             "\"link.hip\"",
                             "\"linked/other.hip\"",
                             "\"x/../../outside/other.hip\""})
        CHECK(project.check_one(path).code == "K0903");
}

TEST_CASE("links and dots that stay inside are fine") {
    const Project project;
    fs::create_symlink("gemm.hip", project.root() / "link.hip");
    fs::create_directory(project.root() / "sub");
    CHECK(project.check("\"link.hip\", \"sub/../gemm.hip\"").empty());
}

TEST_CASE("a link that leads nowhere, or in a circle, is told as such") {
    const Project project;
    fs::create_symlink("absent", project.root() / "dangling.hip");
    fs::create_symlink("circle.hip", project.root() / "circle.hip");
    CHECK(project.check_one("\"dangling.hip\"").code == "K0902");
    CHECK(project.check_one("\"circle.hip\"").code == "K0902");
}

TEST_CASE(
    "a file that is listed twice in a section is warned about, also if it is written differently") {
    const Project project;
    const auto finding = project.check_one("\"gemm.hip\", \"./gemm.hip\"");
    CHECK(finding.code == "K0904");
    CHECK(finding.severity == diag::Severity::warning);
    CHECK(finding.related.at(0).span.begin == diag::Position{11, 8});
}

TEST_CASE("two sections may share a file") {
    const Project project;
    CHECK(project
              .check("\"gemm.hip\"",
                     "[kernel.b]\nbackend = \"rocm\"\ndepends = []\nsrc = [\"gemm.hip\"]\n")
              .empty());
}

TEST_CASE("include folders must exist and be folders inside the project") {
    const Project project;
    fs::create_directory(project.root() / "include");
    CHECK(project.check("\"gemm.hip\"", "include = [\"include\", \".\"]\n").empty());
    CHECK(project.check_one("\"gemm.hip\"", "include = [\"inclde\"]\n").help ==
          Places{"did you mean `include`?"});
    CHECK(project.check_one("\"gemm.hip\"", "include = [\"gemm.hip\"]\n").code == "K0905");
    CHECK(project.check_one("\"gemm.hip\"", "include = [\"../outside\"]\n").code == "K0903");
}

TEST_CASE("files of a backend that is not built are not asked for") {
    const Project project;
    CHECK(project
              .check("\"gemm.hip\"",
                     "[kernel.b]\nbackend = \"cuda\"\ndepends = []\nsrc = [\"absent.cu\"]\n")
              .empty());
}
