#include "kbuild/check/check.hpp"
#include "kbuild/config/load.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using support::TempDir;

// The messages are in tests/cli/cases; here are the borders between what is reported and what is
// not.

namespace {

constexpr const char* kBinding = R"cpp(#include "registration.h"
TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
  ops.def("relu(Tensor! out, Tensor input) -> ()");
  ops.impl("relu", torch::kCUDA, &relu);
}
REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
)cpp";

class Project {
  public:
    Project() {
        add("torch-ext/torch_binding.cpp", kBinding);
        add("torch-ext/relu/__init__.py", "");
        add("relu.hip", "");
    }

    void add(const std::string& path, const std::string& text) {
        REQUIRE(support::write_file_atomically(folder_.path() / path, text));
    }

    /// Codes of what is found, sorted by place.
    std::vector<std::string> check(const std::string& kernel = {}, const std::string& torch = {}) {
        diag::Collector found;
        const auto config = config::parse_build_config(
            "build.toml",
            "[general]\nname = \"relu\"\nversion = 1\nedition = 5\nlicense = \"MIT\"\n"
            "backends = [\"rocm\"]\n[torch]\nsrc = [\"torch-ext/torch_binding.cpp\"]\n" +
                torch + "[kernel.relu]\nbackend = \"rocm\"\ndepends = []\nsrc = [\"relu.hip\"]\n" +
                kernel,
            found);
        REQUIRE(config);
        const config::Settings settings;
        const check::Subject subject{folder_.path(), *config, settings};
        check::check_build_file(subject, found);
        check::check_sources(subject, found);
        std::vector<std::string> codes;
        for (const auto& finding : found.sorted())
            codes.push_back(finding.code);
        return codes;
    }

  private:
    TempDir folder_ = *TempDir::create(std::filesystem::temp_directory_path(), "kbuild-check-");
};

using Codes = std::vector<std::string>;

} // namespace

TEST_CASE("a sound project has no findings") {
    CHECK(Project().check("rocm-archs = [\"gfx942\"]\n").empty());
}

TEST_CASE("a header is followed into headers, each is reported once, and cycles end") {
    Project project;
    project.add("relu.hip", "#include \"a.h\"\n#include \"a.h\"\n#include <hip/hip_runtime.h>\n");
    project.add("a.h", "#include \"b.h\"\n");
    project.add("b.h", "#include \"a.h\"\n#include \"relu.hip\"\n");
    CHECK(project.check() == Codes{"K0301", "K0301"});
}

TEST_CASE("flags are told from flags that look like them") {
    CHECK(Project()
              .check("hip-flags = [\"-Iinclude\", \"-DPATH=/opt\", \"-O3\", \"-ffast-math\"]\n")
              .empty());
    CHECK(Project().check("hip-flags = [\"-L\", \"/opt/lib\"]\n") == Codes{"K0411"});
    CHECK(Project().check("hip-flags = [\"--rocm-path=/opt/rocm\"]\n") == Codes{"K0411"});
    CHECK(Project().check("hip-flags = [\"-Xclang\", \"-load\", \"-Xclang\", \"x.so\"]\n") ==
          Codes{"K0412"});
    CHECK(Project().check("hip-flags = [\"-Wl,-T,x.ld\"]\n") == Codes{"K0412"});
}

TEST_CASE("the standard that torch needs follows from the bounds") {
    CHECK(Project().check({}, "cxx-flags = [\"-std=c++20\"]\n").empty());
    CHECK(Project().check({}, "cxx-flags = [\"-std=c++2a\"]\n").empty());
    CHECK(Project().check({}, "cxx-flags = [\"-std=gnu++17\"]\n") == Codes{"K0410"});
    CHECK(Project().check({}, "maxver = \"2.11\"\ncxx-flags = [\"-std=c++17\"]\n") ==
          Codes{"K0415"});
}

TEST_CASE("an operator may be implemented under any key that serves the backend") {
    Project project;
    const auto with_key = [](const std::string& key) {
        return "#include \"registration.h\"\nTORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, m) {\n"
               "m.def(\"f(Tensor a) -> ()\");\nm.impl(\"f\", " +
               key + "&f);\n}\nREGISTER_EXTENSION(TORCH_EXTENSION_NAME)\n";
    };
    for (const auto* key : {"torch::kCUDA, ",
                            "c10::DispatchKey::CUDA, ",
                            "\"HIP\", ",
                            "",
                            "c10::DispatchKey::CompositeExplicitAutograd, ",
                            "kDevice, "}) {
        INFO(key);
        project.add("torch-ext/torch_binding.cpp", with_key(key));
        CHECK(project.check().empty());
    }
    project.add("torch-ext/torch_binding.cpp", with_key("torch::kCPU, "));
    CHECK(project.check() == Codes{"K0311"});
    project.add("torch-ext/relu/__init__.py", "lib.impl(\"f\", f)\n");
    CHECK(project.check().empty());
}

TEST_CASE("archs that read FP8 alike, or host code that names both formats, are fine") {
    Project project;
    const std::string fnuz = std::string("auto a = at::kFloat8_e4m3fnuz;\n") + kBinding;
    project.add("torch-ext/torch_binding.cpp", fnuz);
    CHECK(project.check("rocm-archs = [\"gfx942\", \"gfx90a\"]\n").empty());
    CHECK(project.check("rocm-archs = [\"gfx942\", \"gfx950\"]\n") == Codes{"K0417"});
    CHECK(project.check() == Codes{"K0417"});
    project.add("torch-ext/torch_binding.cpp", "auto b = at::kFloat8_e4m3fn;\n" + fnuz);
    CHECK(project.check().empty());
}

TEST_CASE("files of the package are shipped, or expected not to be") {
    Project project;
    for (const auto* name : {"py.typed", "a.pyi", "README.md", ".gitkeep", "__pycache__/a.pyc"})
        project.add(std::string("torch-ext/relu/") + name, "");
    CHECK(project.check().empty());
    project.add("torch-ext/relu/table.json", "{}");
    CHECK(project.check() == Codes{"K0418"});
    CHECK(project.check({}, "pyext = [\"py\", \"json\"]\n").empty());
}
