#include "kbuild/support/temp_dir.hpp"
#include "kbuild/toolchain/stub_library.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace kbuild;
using namespace kbuild::toolchain;

namespace {

struct Stub {
    support::TempDir folder = support::TempDir::create("/tmp", "kbuild stub-").value();
    std::filesystem::path path = folder.path() / "with blank/libx.so.6";
};

std::vector<elf::Symbol> fixture_exports() {
    return exported_symbols(elf::read_elf(KBUILD_TOOLCHAIN_FIXTURE).value());
}

} // namespace

TEST_CASE("a stub has the SONAME and exactly the names of the real library, each of its kind",
          "[compilers]") {
    const Stub stub;
    const auto exports = fixture_exports();
    REQUIRE_FALSE(exports.empty());
    REQUIRE(make_stub_library(stub.path, "libx.so.6", exports).has_value());
    const auto file = elf::read_elf(stub.path);
    REQUIRE(file.has_value());
    CHECK(file->soname == "libx.so.6");
    CHECK(file->needed.empty());
    const auto made = exported_symbols(*file);
    REQUIRE(made.size() == exports.size());
    for (std::size_t i = 0; i < made.size(); ++i) {
        CAPTURE(exports[i].name);
        CHECK(made[i].name == exports[i].name);
        CHECK(made[i].object == exports[i].object);
        CHECK(made[i].thread_local_storage == exports[i].thread_local_storage);
        CHECK_FALSE(made[i].weak); // GNU ld takes seconds for thousands of weak names
    }
}

TEST_CASE("the same names give the same bytes", "[compilers]") {
    const Stub a;
    const Stub b;
    REQUIRE(make_stub_library(a.path, "liba.so", fixture_exports()).has_value());
    REQUIRE(make_stub_library(b.path, "liba.so", fixture_exports()).has_value());
    const auto text = elf::read_elf(a.path).value();
    CHECK(text.symbols == elf::read_elf(b.path).value().symbols);
}

TEST_CASE("versions of names are kept where they are wanted", "[compilers]") {
    const Stub stub;
    elf::Symbol symbol;
    symbol.name = "versioned";
    symbol.version = "VERSION_4";
    symbol.defined = true;
    REQUIRE(make_stub_library(stub.path, "libx.so.6", {symbol}).has_value());
    const auto symbols = elf::read_elf(stub.path).value().symbols;
    CHECK(std::any_of(symbols.begin(), symbols.end(), [](const auto& s) {
        return s.name == "versioned" && s.version == "VERSION_4";
    }));
}

TEST_CASE("a name with several versions is exported once, and version names are no exports",
          "[compilers]") {
    elf::ElfFile file;
    elf::Symbol symbol;
    symbol.defined = true;
    for (const auto* version : {"v1", "v2"}) {
        symbol.name = "twice";
        symbol.version = version;
        file.symbols.push_back(symbol);
    }
    symbol.name = "v1";
    symbol.version = "v1";
    file.symbols.push_back(symbol);
    const auto exports = exported_symbols(file);
    REQUIRE(exports.size() == 1);
    CHECK(exports[0].name == "twice");
    CHECK(exports[0].version.empty());
}
