#include "zip_writer.hpp"

#include "kbuild/publish/wheel.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;

TEST_CASE("the platform is the oldest one that has every symbol version") {
    CHECK(publish::platform_tag({}, "x86_64") == "manylinux_2_17_x86_64");
    CHECK(publish::platform_tag({"GLIBC_2.14", "GLIBCXX_3.4.19"}, "x86_64") ==
          "manylinux_2_17_x86_64");
    CHECK(publish::platform_tag({"GLIBC_2.2.5", "GLIBCXX_3.4.21"}, "aarch64") ==
          "manylinux_2_28_aarch64");
    CHECK(publish::platform_tag({"GLIBC_2.28", "CXXABI_1.3.11", "GCC_3.0"}, "x86_64") ==
          "manylinux_2_28_x86_64");
    CHECK(publish::platform_tag({"GLIBC_2.32"}, "x86_64") == "manylinux_2_34_x86_64");
    CHECK(publish::platform_tag({"GLIBC_2.99"}, "x86_64") == "linux_x86_64");
    CHECK(publish::platform_tag({"GLIBC_PRIVATE"}, "x86_64") == "linux_x86_64");
}

TEST_CASE("a variant without compiled code is a pure wheel") {
    layout::Metadata metadata;
    metadata.name = "soft-kernel";
    metadata.version = 2;
    const auto name =
        publish::wheel_name({*model::Variant::parse("torch-rocm"), "/nowhere"}, metadata);
    REQUIRE(name);
    CHECK(name->file_name() == "soft_kernel-2+rocm-py3-none-any.whl");
    CHECK(name->dist_info() == "soft_kernel-2+rocm.dist-info");
}

TEST_CASE("a library says which variant it is for") {
    layout::Metadata metadata;
    metadata.name = "gemm";
    metadata.version = 1;
    const auto version = [&metadata](const char* variant) {
        return publish::wheel_name({*model::Variant::parse(variant), "/nowhere"}, metadata)
            ->version;
    };
    CHECK(version("torch213-cxx11-rocm72-x86_64-linux") == "1+torch213rocm72");
    CHECK(version("torch213-cxx11-cpu-x86_64-linux") == "1+torch213cpu");
    CHECK(version("torch-stable-abi210-rocm72-x86_64-linux") == "1+stable210rocm72");
}

TEST_CASE("equal entries give equal archives") {
    const std::vector<publish::ZipEntry> entries = {{"a/x.so", std::string(100'000, 'x')},
                                                    {"a/empty", ""}};
    const auto first = publish::zip_bytes(entries);
    REQUIRE(first);
    CHECK(first->starts_with("PK\x03\x04"));
    CHECK(publish::zip_bytes(entries).value() == *first);
}

namespace {

/// What unpack_libraries() makes of a file with these bytes, in a folder of its own.
struct Unpacked {
    explicit Unpacked(const std::string& bytes) {
        REQUIRE(support::write_file_atomically(dir.path() / "x.whl", bytes));
        libraries = publish::unpack_libraries(dir.path() / "x.whl", dir.path() / "out");
    }
    support::TempDir dir =
        *support::TempDir::create(std::filesystem::temp_directory_path(), "kbuild-wheel-test-");
    support::Result<std::vector<std::filesystem::path>> libraries;
};

} // namespace

TEST_CASE("of a wheel the libraries are unpacked, with their folders") {
    const auto zip = publish::zip_bytes({{"x/__init__.py", "import torch"},
                                         {"x/_x.abi3.so", "second"},
                                         {"x.libs/libgomp-1.so.1.0.0", "first"},
                                         {"x/so", "no library"}});
    REQUIRE(zip);
    const Unpacked wheel(*zip);
    REQUIRE(wheel.libraries);
    const auto out = wheel.dir.path() / "out";
    CHECK(*wheel.libraries == std::vector{out / "x/_x.abi3.so", out / "x.libs/libgomp-1.so.1.0.0"});
    CHECK(*support::read_file(out / "x/_x.abi3.so") == "second");
    CHECK_FALSE(support::path_exists(out / "x/__init__.py"));
}

TEST_CASE("a name that leads out of a wheel is refused, and nothing is written there") {
    for (const auto* const name : {"../evil.so", "x/../../evil.so"}) {
        const auto zip = publish::zip_bytes({{name, "evil"}});
        REQUIRE(zip);
        const Unpacked wheel(*zip);
        REQUIRE_FALSE(wheel.libraries);
        CHECK(wheel.libraries.error().kind == support::ErrorKind::content);
        CHECK(wheel.libraries.error().message.find("leads out of it") != std::string::npos);
        CHECK_FALSE(support::path_exists(wheel.dir.path() / "evil.so"));
    }
}

TEST_CASE("what is no zip archive, or only the start of one, is an error that names it") {
    const auto zip = publish::zip_bytes({{"x/_x.so", std::string(5000, 'x')}});
    REQUIRE(zip);
    for (const auto& bytes :
         {std::string(), std::string("text"), zip->substr(0, zip->size() - 30)}) {
        const Unpacked wheel(bytes);
        REQUIRE_FALSE(wheel.libraries);
        CHECK(wheel.libraries.error().kind == support::ErrorKind::content);
        CHECK(wheel.libraries.error().message.find("x.whl") != std::string::npos);
    }
}
