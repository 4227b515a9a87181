#include "host_libraries.hpp"
#include "offered_names.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using portable::LibrarySymbols;

namespace {

elf::Symbol symbol(const std::string& name, const std::string& version) {
    elf::Symbol made;
    made.name = name;
    made.version = version;
    made.defined = true;
    return made;
}

abi::ManylinuxPolicy policy(const std::string& name) {
    return *abi::manylinux_policy(name, "x86_64");
}

/// `name@version` of what a stub offers.
std::vector<std::string> offers(const LibrarySymbols& offered, const std::string& library) {
    std::vector<std::string> names;
    for (const auto& entry : offered.at(library))
        names.push_back(entry.name + "@" + entry.version);
    return names;
}

using Strings = std::vector<std::string>;

} // namespace

TEST_CASE("of each name the newest version that the policy has is offered") {
    const LibrarySymbols host = {{"libm.so.6",
                                  {symbol("exp", "GLIBC_2.2.5"),
                                   symbol("exp", "GLIBC_2.29"),
                                   symbol("fmaximum", "GLIBC_2.35"),
                                   symbol("sin", "GLIBC_2.2.5"),
                                   symbol("lgamma", "GLIBC_2.23"),
                                   symbol("lgamma", "GLIBC_2.2.5"),
                                   symbol("__private", "GLIBC_PRIVATE")}}};
    const auto offered = portable::offered_names(host, policy("manylinux_2_28"));
    CHECK(offers(offered, "libm.so.6") ==
          Strings{"exp@GLIBC_2.2.5", "lgamma@GLIBC_2.23", "sin@GLIBC_2.2.5"});
}

TEST_CASE("names that glibc 2.34 moved into libc are offered where older systems have them") {
    const LibrarySymbols host = {{portable::kLibc,
                                  {symbol("pthread_create", "GLIBC_2.2.5"),
                                   symbol("pthread_create", "GLIBC_2.34"),
                                   symbol("pthread_setname_np", "GLIBC_2.12"),
                                   symbol("dlopen", "GLIBC_2.2.5"),
                                   symbol("dlopen", "GLIBC_2.34"),
                                   symbol("shm_open", "GLIBC_2.2.5"),
                                   symbol("shm_open", "GLIBC_2.34"),
                                   symbol("memcpy", "GLIBC_2.14"),
                                   symbol("__libc_start_main", "GLIBC_2.2.5"),
                                   symbol("__libc_start_main", "GLIBC_2.34")}}};
    const auto old = portable::offered_names(host, policy("manylinux_2_28"));
    CHECK(offers(old, portable::kLibc) == Strings{"memcpy@GLIBC_2.14"});
    CHECK(offers(old, "libpthread.so.0") ==
          Strings{"pthread_create@GLIBC_2.2.5", "pthread_setname_np@GLIBC_2.12"});
    CHECK(offers(old, "libdl.so.2") == Strings{"dlopen@GLIBC_2.2.5"});
    CHECK(offers(old, "librt.so.1") == Strings{"shm_open@GLIBC_2.2.5"});

    const auto young = portable::offered_names(host, policy("manylinux_2_34"));
    CHECK(offers(young, portable::kLibc) == Strings{"dlopen@GLIBC_2.34",
                                                    "memcpy@GLIBC_2.14",
                                                    "pthread_create@GLIBC_2.34",
                                                    "pthread_setname_np@GLIBC_2.12",
                                                    "shm_open@GLIBC_2.34"});
}

TEST_CASE("of libgcc_s only the unwinder is offered: the rest is linked statically") {
    const LibrarySymbols host = {
        {portable::kLibgcc,
         {symbol("_Unwind_Resume", "GCC_3.0"), symbol("__extendsfdf2", "GCC_3.0")}}};
    CHECK(offers(portable::offered_names(host, policy("manylinux_2_28")), portable::kLibgcc) ==
          Strings{"_Unwind_Resume@GCC_3.0"});
}

TEST_CASE("names beyond the policy are told with their library and oldest version") {
    const LibrarySymbols host = {
        {portable::kLibc,
         {symbol("strerrordesc_np", "GLIBC_2.32"), symbol("memcpy", "GLIBC_2.14")}},
        {portable::kLibstdcxx, {symbol("_ZSt9to_charsv", "GLIBCXX_3.4.29")}}};
    const auto newer = portable::names_beyond(host, policy("manylinux_2_28"));
    REQUIRE(newer.size() == 2);
    CHECK(newer.at("strerrordesc_np").version == "GLIBC_2.32");
    CHECK(newer.at("strerrordesc_np").library == portable::kLibc);
    CHECK(newer.at("_ZSt9to_charsv").library == portable::kLibstdcxx);
}
