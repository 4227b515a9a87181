#include "fake_hipify.hpp"
#include "fake_tools.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/hipify.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using namespace kbuild::toolchain;
namespace fs = std::filesystem;

namespace {

struct Project {
    support::TempDir folder =
        support::TempDir::create(fs::temp_directory_path(), "kbuild-hipify-").value();
    fs::path root = folder.path() / "a project";
    fs::path into = folder.path() / "a project/.kbuild/hipify/relu/torch213";
    model::TorchSdk torch;
    HipifyRequest request;

    Project() {
        torch.name = "torch@2.13";
        torch.fingerprint = "one";
        torch.hipify = folder.path() / "sdk/hipify";
        test::write(*torch.hipify / "__init__.py", "");
        test::write(*torch.hipify / "hipify_python.py", std::string(test::kFakeHipify));
        test::write(root / "relu_cuda/relu.cu", "#include <cuda.h>\n__global__ void relu();\n");
        test::write(root / "relu_cuda/plain.h", "int plain;\n");
        request = {root, {"relu_cuda/relu.cu"}, {}, {}};
    }

    HipifiedTree run() const {
        auto tree = hipify(torch, request, into);
        INFO((tree ? std::string() : tree.error().to_string()));
        REQUIRE(tree.has_value());
        return std::move(*tree);
    }
};

} // namespace

TEST_CASE("a CUDA source is converted into the folder, the project is left alone", "[compilers]") {
    const Project project;
    const auto before = support::list_files(project.root).value();
    const auto tree = project.run();
    REQUIRE(tree.files.size() == 1);
    CHECK(tree.files[0].output == "relu_hip/relu.hip");
    CHECK(tree.files[0].changed());
    CHECK(support::read_file(project.into / "relu_cuda/relu.cu").has_value());
    auto after = support::list_files(project.root).value();
    std::erase_if(after, [](const fs::path& file) { return file.begin()->string() == ".kbuild"; });
    CHECK(after == before);
}

TEST_CASE("a converted file names the lines of the file that was written by hand", "[compilers]") {
    const Project project;
    const auto tree = project.run();
    const auto text = support::read_file(project.into / tree.files[0].output).value();
    const auto lines = support::split(text, '\n');
    REQUIRE(lines.size() > 4);
    CHECK(lines[1] == "#include \"hip/hip_runtime.h\"");
    CHECK(lines[2] == "#line 1 \"" + (project.root / "relu_cuda/relu.cu").string() + "\"");
    CHECK(lines[3] == "#include <hip.h>");
    CHECK_FALSE(support::contains(tree.files[0].diff, "#line"));
    CHECK(support::contains(tree.files[0].diff, "-#include <cuda.h>\n"));
}

TEST_CASE("what is up to date is neither run again nor written again", "[compilers]") {
    Project project;
    const auto first = project.run();
    const auto output = project.into / first.files[0].output;
    const auto time = fs::last_write_time(output);
    test::write(*project.torch.hipify / "hipify_python.py", "raise SystemExit('run again')");
    const auto second = project.run();
    CHECK(second.digest == first.digest);
    CHECK(second.files[0].diff == first.files[0].diff);
    CHECK(fs::last_write_time(output) == time);
}

TEST_CASE("another file or another torch converts anew, and only what changed gets a new time",
          "[compilers]") {
    Project project;
    project.request.convert = {"relu_cuda/plain.h", "relu_cuda/relu.cu"};
    const auto first = project.run();
    const auto kept = project.into / "relu_hip/relu.hip";
    const auto time = fs::last_write_time(kept);
    test::write(project.root / "relu_cuda/plain.h", "int cuda;\n");
    const auto second = project.run();
    CHECK(second.digest != first.digest);
    CHECK(fs::last_write_time(kept) == time);
    project.torch.fingerprint = "two";
    CHECK(project.run().digest == second.digest);
}

TEST_CASE("what is no longer asked for is removed", "[compilers]") {
    Project project;
    test::write(project.root / "relu_cuda/more.cu", "cuda\n");
    project.request.convert.emplace_back("relu_cuda/more.cu");
    project.run();
    CHECK(support::is_file(project.into / "relu_hip/more.hip"));
    project.request.convert.pop_back();
    project.run();
    CHECK_FALSE(support::path_exists(project.into / "relu_hip/more.hip"));
}

TEST_CASE("two inputs that meet in one name are told and nothing is converted", "[compilers]") {
    Project project;
    test::write(project.root / "relu_hip/relu.hip", "hand-written\n");
    project.request.keep = {"relu_hip/relu.hip"};
    const auto tree = project.run();
    CHECK(tree.files.empty());
    REQUIRE(tree.clashes.size() == 1);
    CHECK(tree.clashes[0].first == "relu_hip/relu.hip");
    CHECK(tree.clashes[0].second == "relu_cuda/relu.cu");
    CHECK(tree.clashes[0].output == "relu_hip/relu.hip");
    CHECK_FALSE(support::path_exists(project.into));
}

TEST_CASE("a converter that fails is an error with its words, and the next run is not fooled",
          "[compilers]") {
    Project project;
    test::write(*project.torch.hipify / "hipify_python.py", "raise SystemExit('out of order')");
    const auto tree = hipify(project.torch, project.request, project.into);
    REQUIRE_FALSE(tree.has_value());
    CHECK(tree.error().kind == support::ErrorKind::toolchain);
    CHECK(support::contains(tree.error().to_string(), "out of order"));
    CHECK(support::contains(tree.error().to_string(), "torch@2.13"));
    test::write(*project.torch.hipify / "hipify_python.py", std::string(test::kFakeHipify));
    CHECK(project.run().files.size() == 1);
}
