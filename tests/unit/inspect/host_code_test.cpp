#include "kbuild/inspect/host_code.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using Names = std::vector<std::string>;

namespace {

elf::Symbol defined(const std::string& name, bool unique = false) {
    elf::Symbol symbol;
    symbol.name = name;
    symbol.defined = true;
    symbol.unique = unique;
    return symbol;
}

elf::Symbol
wanted(const std::string& name, const std::string& version = {}, const std::string& library = {}) {
    elf::Symbol symbol;
    symbol.name = name;
    symbol.version = version;
    symbol.version_library = library;
    return symbol;
}

} // namespace

TEST_CASE("a library's exports, unique symbols and needed versions are listed once, sorted") {
    elf::ElfFile file;
    file.soname = "libx.so.1";
    file.needed = {"libz.so.1", "libc.so.6"};
    file.run_paths = {"$ORIGIN"};
    file.symbols = {defined("b"),
                    defined("a", true),
                    wanted("memcpy", "GLIBC_2.14", "libc.so.6"),
                    wanted("pow", "GLIBC_2.29", "libm.so.6"),
                    wanted("stat", "GLIBC_2.14", "libc.so.6"),
                    wanted("free")};
    file.sections = {{".text", 64, 100}, {".bss", 164, 5}};
    const auto host = inspect::host_code(file);
    CHECK(host.soname == "libx.so.1");
    CHECK(host.needed == Names{"libz.so.1", "libc.so.6"});
    CHECK(host.run_paths == Names{"$ORIGIN"});
    CHECK(host.exported == Names{"a", "b"});
    CHECK(host.unique == Names{"a"});
    CHECK(host.versions == std::vector<inspect::HostCode::NeededVersion>{
                               {"libc.so.6", "GLIBC_2.14"}, {"libm.so.6", "GLIBC_2.29"}});
    REQUIRE(host.sections.size() == 2);
    CHECK(host.sections[0] == inspect::HostCode::SectionSize{".text", 100});
    CHECK(host.python_module.empty());
}

TEST_CASE("the operators of a Python module are in the name space that is called as the module") {
    elf::ElfFile file;
    file.symbols = {defined("PyInit__gemm_rocm_1234"),
                    wanted("_ZN5torch7LibraryC1ENS0_4KindE"),
                    wanted("memcpy")};
    const auto host = inspect::host_code(file);
    CHECK(host.python_module == "_gemm_rocm_1234");
    CHECK(host.op_namespace == "_gemm_rocm_1234");
}

TEST_CASE("a Python module that registers nothing has no operators") {
    elf::ElfFile file;
    file.symbols = {defined("PyInit_plain")};
    CHECK(inspect::host_code(file).python_module == "plain");
    CHECK(inspect::host_code(file).op_namespace.empty());
}
