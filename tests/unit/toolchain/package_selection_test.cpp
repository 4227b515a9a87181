#include "package_selection.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace kbuild;
using namespace kbuild::toolchain;

namespace {

RocmPackages rules() {
    return load_catalog().value().rocm_packages;
}

/// An archive that answers from memory.
struct Archive {
    PackageIndex packages;

    void add(const std::string& name, const std::string& depends = {}) {
        Package package;
        package.name = name;
        package.version = "1.0-1";
        package.depends = parse_dependencies(depends);
        packages[name] = package;
    }

    PackageLookup lookup() const {
        return [this](const std::vector<std::string>& names) -> support::Result<PackageIndex> {
            PackageIndex found;
            for (const auto& name : names)
                if (const auto entry = packages.find(name); entry != packages.end())
                    found.insert(*entry);
            return found;
        };
    }
};

Archive archive(const std::string& major, const std::string& hip) {
    Archive all;
    all.add("hipcc", "libc6 (>= 2.38), clang-" + major + ", rocm-device-libs-" + major);
    all.add("libamdhip64-dev", "libamdhip64-" + hip + ", libhsa-runtime-dev");
    all.add("libamdhip64-" + hip, "libhsa-runtime64-1, libdrm2");
    all.add("clang-" + major,
            "libclang-cpp" + major + ", libllvm" + major +
                "t64, libobjc-16-dev, libc6-dev, binutils");
    for (const auto* name : {"clang-tools-", "lld-", "llvm-", "rocm-device-libs-"})
        all.add(name + major, "libcurl4t64, python3");
    all.add("libclang-common-" + major + "-dev");
    all.add("libclang-rt-" + major + "-dev");
    all.add("libclang-cpp" + major, "libllvm" + major + "t64");
    all.add("libllvm" + major + "t64", "libedit2, libxml2-16 | libxml2");
    all.add("libedit2", "libbsd0");
    for (const auto* name : {"libbsd0",
                             "libxml2-16",
                             "libc6",
                             "libcurl4t64",
                             "python3",
                             "libc6-dev",
                             "libhsa-runtime64-1",
                             "libdrm2",
                             "librocprim-dev",
                             "binutils"})
        all.add(name);
    return all;
}

std::vector<std::string> names(const std::vector<Package>& packages) {
    std::vector<std::string> list;
    for (const auto& package : packages)
        list.push_back(package.name);
    return list;
}

} // namespace

TEST_CASE("the compiler that hipcc depends on and the libraries it runs on are selected") {
    const auto all = archive("21", "6");
    const auto selection = select_packages(rules(), all.lookup());
    REQUIRE(selection.has_value());
    CHECK(selection->compiler_major == "21");
    CHECK(names(selection->compiler) == std::vector<std::string>{"clang-21",
                                                                 "clang-tools-21",
                                                                 "libbsd0",
                                                                 "libc6",
                                                                 "libclang-common-21-dev",
                                                                 "libclang-cpp21",
                                                                 "libclang-rt-21-dev",
                                                                 "libedit2",
                                                                 "libllvm21t64",
                                                                 "libxml2-16",
                                                                 "lld-21",
                                                                 "llvm-21",
                                                                 "rocm-device-libs-21"});
}

TEST_CASE("a newer compiler in the suite is found by its own names") {
    const auto all = archive("33", "9");
    const auto selection = select_packages(rules(), all.lookup());
    REQUIRE(selection.has_value());
    CHECK(selection->compiler_major == "33");
    CHECK(selection->find("libllvm33t64") != nullptr);
    CHECK(names(selection->link_only) == std::vector<std::string>{"libamdhip64-9"});
}

TEST_CASE("the HIP runtime is only linked against: nothing that it needs is fetched") {
    const auto all = archive("21", "6");
    const auto selection = select_packages(rules(), all.lookup());
    REQUIRE(selection.has_value());
    CHECK(selection->find("libhsa-runtime64-1") == nullptr);
    CHECK(selection->find("libdrm2") == nullptr);
}

TEST_CASE("packages of headers are taken as far as the suite has them") {
    const auto all = archive("21", "6");
    const auto selection = select_packages(rules(), all.lookup());
    REQUIRE(selection.has_value());
    CHECK(names(selection->parts) ==
          std::vector<std::string>{"hipcc", "libamdhip64-dev", "librocprim-dev"});
}

TEST_CASE("a suite without hipcc, or without a compiler for it, is a toolchain error") {
    Archive empty;
    CHECK(select_packages(rules(), empty.lookup()).error().kind == support::ErrorKind::toolchain);
    auto without_lld = archive("21", "6");
    without_lld.packages.erase("lld-21");
    const auto selection = select_packages(rules(), without_lld.lookup());
    REQUIRE_FALSE(selection.has_value());
    CHECK(selection.error().message == "the archive has no package `lld-21`");
}
