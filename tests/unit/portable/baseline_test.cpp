#include "host_libraries.hpp"

#include "kbuild/elf/elf_file.hpp"
#include "kbuild/portable/baseline.hpp"
#include "kbuild/process/runner.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
namespace fs = std::filesystem;

namespace {

portable::BaselineRequest request() {
    return {*abi::manylinux_policy("manylinux_2_28", "x86_64"), KBUILD_TEST_CXX, KBUILD_TEST_C};
}

/// One baseline for all tests of this program; a path with a blank is what a home folder may have.
struct Made {
    support::TempDir dir = *support::TempDir::create(fs::temp_directory_path(), "kbuild baseline-");
    support::Result<portable::Baseline> baseline = portable::ensure_baseline(dir.path(), request());
};

const portable::Baseline& baseline() {
    static const Made made;
    INFO((made.baseline ? std::string() : made.baseline.error().message));
    REQUIRE(made.baseline);
    return *made.baseline;
}

constexpr std::string_view kSource = R"(
#include <charconv>
#include <filesystem>
#include <iostream>
#include <regex>
#include <thread>
extern "C" int PyInit_x() {
    std::cout << std::filesystem::temp_directory_path() << std::regex_match("a1", std::regex("a[0-9]"));
    std::thread([] {}).join();
    char text[32];
    return static_cast<int>(std::to_chars(text, text + 32, 0.1).ptr - text);
})";

/// The library that kbuild would link of `source`, checked to link.
elf::ElfFile link(const support::TempDir& dir, std::string_view source) {
    const auto text = dir.path() / "x.cpp";
    const auto map = dir.path() / "exports.map";
    REQUIRE(support::write_file_atomically(text, source));
    REQUIRE(support::write_file_atomically(map, "{ global: PyInit_*; local: *; };\n"));
    std::vector<std::string> arguments{"-std=c++20", "-O1", "-fPIC", "-shared", "-o"};
    arguments.push_back((dir.path() / "x.so").string());
    arguments.push_back(text.string());
    arguments.push_back("-L" + baseline().folder.string());
    for (const auto& file : baseline().first)
        arguments.push_back(file.string());
    arguments.insert(arguments.end(), {"-Xlinker", "--version-script", "-Xlinker", map.string()});
    arguments.emplace_back("-Wl,--no-undefined,--gc-sections");
    const auto output = process::run({KBUILD_TEST_CXX, arguments, {}, process::clean_environment()},
                                     {.merge_stderr = true});
    REQUIRE(output);
    INFO(output->out);
    REQUIRE(output->status.ok());
    auto file = elf::read_elf(dir.path() / "x.so");
    REQUIRE(file);
    return std::move(*file);
}

} // namespace

TEST_CASE("what is linked with the baseline needs nothing that the policy does not have",
          "[compilers]") {
    const auto dir = support::TempDir::create(fs::temp_directory_path(), "kbuild-link-");
    REQUIRE(dir);
    const auto file = link(*dir, kSource);
    const auto policy = request().policy;
    for (const auto& symbol : file.symbols) {
        CAPTURE(symbol.name, symbol.version);
        if (symbol.defined)
            CHECK(symbol.name.starts_with("PyInit_"));
        else if (!symbol.weak)
            CHECK(abi::judge(policy, symbol.version) == abi::Verdict::allowed);
    }
    for (const auto& needed : file.needed)
        CHECK(policy.libraries.contains(needed));
}

TEST_CASE("without the baseline the same source needs more, so the check above can fail",
          "[compilers]") {
    const auto newer = portable::newer_names(baseline());
    REQUIRE(newer);
    CHECK(newer->at("__libc_single_threaded").version == "GLIBC_2.32");
    CHECK(newer->at("pthread_cond_clockwait").version == "GLIBC_2.30");
    CHECK_FALSE(newer->contains("memcpy"));
}

TEST_CASE("a second request finds the same folder without making it again", "[compilers]") {
    const auto before = fs::last_write_time(baseline().folder);
    bool made = false;
    const auto again = portable::ensure_baseline(
        baseline().folder.parent_path(), request(), [&](const std::string&) { made = true; });
    REQUIRE(again);
    CHECK(again->folder == baseline().folder);
    CHECK(fs::last_write_time(baseline().folder) == before);
    CHECK_FALSE(made);
}

TEST_CASE("equal libraries give equal bytes", "[compilers]") {
    const auto other = support::TempDir::create(fs::temp_directory_path(), "kbuild-baseline-test-");
    REQUIRE(other);
    const auto again = portable::ensure_baseline(other->path(), request());
    REQUIRE(again);
    CHECK(again->folder.filename() == baseline().folder.filename());
    const auto files = support::list_files(baseline().folder);
    REQUIRE(files);
    CHECK(*files == *support::list_files(again->folder));
    for (const auto& file : *files)
        CHECK(*support::read_file(baseline().folder / file) ==
              *support::read_file(again->folder / file));
}

TEST_CASE("a compiler without libraries is an error that says what is missing", "[compilers]") {
    const auto dir = support::TempDir::create(fs::temp_directory_path(), "kbuild-baseline-test-");
    REQUIRE(dir);
    auto wrong = request();
    wrong.cxx = "/bin/true";
    const auto made = portable::ensure_baseline(dir->path(), wrong);
    REQUIRE_FALSE(made);
    CHECK(made.error().message.find("`/bin/true` has no `libc.so.6`") != std::string::npos);
}
