#include "cxx_supplement.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace kbuild;
using portable::Names;

namespace {

std::vector<elf::Member> archive() {
    auto members = elf::read_archive(KBUILD_TEST_ARCHIVE);
    REQUIRE(members);
    return *members;
}

const Names kOld = {"_Z8old_namev"};
const Names kNewer = {"_Z10newer_namev"};

bool all(std::string_view) {
    return true;
}

std::vector<std::string> names_of(const std::vector<elf::Member>& members) {
    std::vector<std::string> names;
    for (const auto& member : members)
        names.push_back(member.name);
    return names;
}

/// Names that a member defines for others.
std::vector<std::string> definitions(const elf::Member& member) {
    std::vector<std::string> names;
    const auto symbols = elf::read_object_symbols(member.bytes, member.name);
    REQUIRE(symbols);
    for (const auto& symbol : *symbols)
        if (symbol.defined)
            names.push_back(symbol.name);
    return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

TEST_CASE("an archive is read with its members' names and in its order") {
    CHECK(names_of(archive()) ==
          std::vector<std::string>{"NEWER.o", "HELPER.o", "STATE.o", "OLD.o", "LOCAL.o"});
}

TEST_CASE("what a file is no archive of is an error that names it") {
    const auto members = elf::read_archive(KBUILD_SOURCE_DIR "/README.md");
    REQUIRE_FALSE(members);
    CHECK(members.error().message.find("README.md") != std::string::npos);
    CHECK_FALSE(elf::read_object_symbols("no object", "x.o"));
}

TEST_CASE(
    "members with newer names are kept with what they need, without what a process has once") {
    // `stored` is in the baseline here, so the system's is used.
    auto baseline = kOld;
    baseline.insert("stored");
    const auto members = portable::supplement_members(archive(), {baseline, kNewer, all});
    REQUIRE(members);
    CHECK(names_of(*members) == std::vector<std::string>{"NEWER.o", "HELPER.o"});
}

TEST_CASE("a baseline's name is undefined in the kept members, so that the system's is used") {
    auto baseline = kOld;
    baseline.insert("stored");
    const auto members = portable::supplement_members(archive(), {baseline, kNewer, all});
    REQUIRE(members);
    const auto helper = definitions(members->back());
    CHECK(has(helper, "_Z6helperv"));
    CHECK_FALSE(has(helper, "_Z8old_namev"));
}

TEST_CASE("a member that brings state of its own is refused by name, with what to do") {
    const auto members = portable::supplement_members(archive(), {kOld, kNewer, all});
    REQUIRE_FALSE(members);
    CHECK(members.error().message.find("`STATE.o`") != std::string::npos);
    CHECK(members.error().message.find("`stored`") != std::string::npos);
    CHECK(members.error().hint.find("policy") != std::string::npos);
}

TEST_CASE("a static variable of a member is state as well, whatever the member is called") {
    const auto members =
        portable::supplement_members(archive(), {kOld, {"_Z13newer_counterv"}, all});
    REQUIRE_FALSE(members);
    CHECK(members.error().kind == support::ErrorKind::toolchain);
    CHECK(members.error().message.find("`LOCAL.o`") != std::string::npos);
    CHECK(members.error().message.find("`_ZL5calls`") != std::string::npos);
    CHECK(members.error().hint.find("g++ 12 to 16") != std::string::npos);
}

TEST_CASE("nothing newer means no supplement") {
    const auto members = portable::supplement_members(archive(), {kOld, {}, all});
    REQUIRE(members);
    CHECK(members->empty());
}

TEST_CASE("members that nobody has read for hidden state are left out") {
    const auto members = portable::supplement_members(
        archive(), {kOld, kNewer, [](std::string_view name) { return name == "HELPER.o"; }});
    REQUIRE(members);
    CHECK(members->empty());
    CHECK(portable::is_reviewed_member("fs_ops.o"));
    CHECK(portable::is_reviewed_member("cow-fs_ops.o"));
    CHECK(portable::is_reviewed_member("lt2-cow-string-inst.o"));
    CHECK_FALSE(portable::is_reviewed_member("tzdb.o"));
    CHECK_FALSE(portable::is_reviewed_member("globals_io.o"));
}
