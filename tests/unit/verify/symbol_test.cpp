#include "torch_exports.hpp"
#include "variant_folder.hpp"

#include "kbuild/elf/elf_file.hpp"

using namespace kbuild;
using test::Codes;
using test::VariantFolder;
namespace fs = std::filesystem;

namespace {

/// The export lists of an SDK.
class Symbols {
  public:
    void write(const std::string& library, const std::vector<std::string>& names) const {
        std::string text;
        for (const auto& name : names)
            text += name + "\n";
        REQUIRE(support::write_file_atomically(dir_.path() / (library + ".txt"), text));
    }
    verify::Expectations expectations() const {
        verify::Expectations expectations;
        expectations.torch_symbols = dir_.path();
        return expectations;
    }
    const fs::path& path() const { return dir_.path(); }

  private:
    support::TempDir dir_ = *support::TempDir::create(fs::temp_directory_path(), "kbuild-symbols-");
};

std::vector<std::string> exports_of(const fs::path& library) {
    const auto file = elf::read_elf(library);
    REQUIRE(file);
    std::vector<std::string> names;
    for (const auto& symbol : file->symbols)
        if (symbol.defined)
            names.push_back(symbol.name);
    return names;
}

} // namespace

TEST_CASE("without an SDK the check says that it did not run, and how to get one") {
    const auto findings = VariantFolder().write_and_check();
    const auto text = findings.text_of("K0615");
    CHECK(text.find("torch 2.13") != std::string::npos);
    CHECK(text.find("kbuild toolchain add torch@2.13") != std::string::npos);
    CHECK(findings.all.count(diag::Severity::note) == 1);
}

TEST_CASE("what a needed torch library exports is resolved, also through what that library needs") {
    VariantFolder variant(test::kCpuName);
    variant.library.needed = {"libtorch.so", "libc.so.6"};
    variant.library.symbols.push_back({"_ZN2at5emptyEi"});
    variant.library.symbols.push_back({"_ZN3c1011throw_errorEv"});
    const Symbols symbols;
    symbols.write("libtorch_cpu.so", {"_ZN2at5emptyEi"});
    symbols.write("libc10.so", {"_ZN3c1011throw_errorEv"});
    CHECK(variant.write_and_check(symbols.expectations()).codes() == Codes{});
}

TEST_CASE("a symbol that nobody exports is K0611, readable") {
    VariantFolder variant(test::kCpuName);
    variant.library.symbols.push_back({"_ZN2at5emptyEi"});
    const Symbols symbols;
    symbols.write("libc10.so", {});
    const auto findings = variant.write_and_check(symbols.expectations());
    CHECK(findings.codes() == Codes{"K0611"});
    CHECK(findings.text_of("K0611").find("`at::empty(int)`") != std::string::npos);
}

TEST_CASE("a symbol of a torch library that is not needed is told apart") {
    VariantFolder variant;
    variant.library.symbols.push_back({"_ZN3c103hip6streamEv"});
    const Symbols symbols;
    symbols.write("libc10_hip.so", {"_ZN3c103hip6streamEv"});
    CHECK(variant.write_and_check(symbols.expectations())
              .text_of("K0611")
              .find("exported by `libc10_hip.so`, which the library is not linked with") !=
          std::string::npos);
    variant.library.needed.emplace_back("libc10_hip.so");
    CHECK(variant.write_and_check(symbols.expectations()).codes() == Codes{});
}

TEST_CASE("weak symbols and Python's may stay open; HIP's only with the HIP runtime") {
    VariantFolder variant;
    variant.library.symbols.push_back({"__gmon_start__", false, STB_WEAK});
    variant.library.symbols.push_back({"PyModule_Create2"});
    variant.library.symbols.push_back({"_Py_Dealloc"});
    variant.library.symbols.push_back({"hipLaunchKernel"});
    variant.library.symbols.push_back({"__hipRegisterFatBinary"});
    const Symbols symbols;
    symbols.write("libc10.so", {});
    CHECK(variant.write_and_check(symbols.expectations()).codes() == Codes{});
    std::erase(variant.library.needed, "libamdhip64.so.7");
    const auto findings = variant.write_and_check(symbols.expectations());
    CHECK(findings.codes() == Codes{"K0611"});
    CHECK(findings.text_of("K0611").find("HIP runtime") != std::string::npos);
}

TEST_CASE("a folder without export lists is an error, not a pass") {
    const Symbols symbols;
    CHECK(VariantFolder().write_and_check(symbols.expectations()).codes() == Codes{"K0615"});
}

TEST_CASE(
    "a real extension resolves against glibc, libstdc++, Python and the torch it was linked with") {
    const fs::path real = KBUILD_TEST_REAL_LIBRARIES;
    const VariantFolder variant(test::kCpuName);
    variant.write_metadata();
    REQUIRE(support::copy_to(real / "extension.so", variant.library_path()));
    const Symbols symbols;
    symbols.write("libtorch_cpu.so", exports_of(real / "libtorch_cpu.so"));
    symbols.write("libc10.so", exports_of(real / "libc10.so"));
    CHECK(variant.check(symbols.expectations()).codes() == Codes{});

    symbols.write("libtorch_cpu.so", {});
    const auto findings = variant.check(symbols.expectations());
    CHECK(findings.codes() == Codes{"K0611"});
    CHECK(findings.text_of("K0611").find("`at::empty(int)`") != std::string::npos);
}

TEST_CASE("export lists are searched line by line, whatever their order and end") {
    const Symbols symbols;
    REQUIRE(support::write_file_atomically(symbols.path() / "libx.so.txt", "b\n\na\nabc"));
    const auto found = verify::find_exporters({"a", "abc", "ab", ""}, symbols.path());
    REQUIRE(found);
    CHECK(found->count("a") == 1);
    CHECK(found->count("abc") == 1);
    CHECK(found->count("ab") == 0);
}
