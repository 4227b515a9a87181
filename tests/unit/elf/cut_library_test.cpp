#include "kbuild/elf/cut_library.hpp"
#include "kbuild/elf/elf_file.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>

using namespace kbuild;
namespace fs = std::filesystem;

namespace {

struct Folder {
    support::TempDir folder = support::TempDir::create_temporary("kbuild-cut-").value();
    fs::path file(const char* name) const { return folder.path() / name; }
};

std::vector<std::string> sorted(const elf::NameSet& names) {
    std::vector<std::string> result(names.begin(), names.end());
    std::sort(result.begin(), result.end());
    return result;
}

std::vector<elf::Symbol> symbols_called(const fs::path& library,
                                        const std::vector<std::string>& names) {
    std::vector<elf::Symbol> symbols;
    const auto file = elf::read_elf(library).value();
    for (const auto& symbol : file.symbols)
        if (std::find(names.begin(), names.end(), symbol.name) != names.end())
            symbols.push_back(symbol);
    return symbols;
}

} // namespace

TEST_CASE("an object shares the names that it defines and those that it uses") {
    elf::NameSet names;
    REQUIRE(elf::add_shared_names(KBUILD_ELF_USER, names).has_value());
    for (const auto* const name : {"plain_used",
                                   "plain_data",
                                   "plain_thread_data",
                                   "plain_defined_by_both",
                                   "user",
                                   "plain_old"})
        CHECK(names.contains(name));
    CHECK_FALSE(names.contains("plain_of_nobody"));

    elf::NameSet of_archive;
    REQUIRE(elf::add_shared_names(KBUILD_ELF_USER_ARCHIVE, of_archive).has_value());
    CHECK(sorted(of_archive) == sorted(names));
}

TEST_CASE("a cut library has the name of the whole one and of its symbols those that are named") {
    const Folder folder;
    const auto cut = folder.file("libplain.so");
    const std::vector<std::string> wanted{
        "plain_data", "plain_defined_by_both", "plain_thread_data", "plain_used"};
    elf::NameSet names(wanted.begin(), wanted.end());
    names.insert({"a_name_of_no_library", "", "user"});

    REQUIRE(elf::cut_library(KBUILD_ELF_PLAIN, names, cut).value());
    const auto file = elf::read_elf(cut);
    REQUIRE(file.has_value());
    CHECK(file->soname == "libkbuild_elf_plain.so.4");
    CHECK(file->needed.empty());
    CHECK(file->symbols.size() == wanted.size());
    const auto symbols = symbols_called(cut, wanted);
    CHECK(symbols == symbols_called(KBUILD_ELF_PLAIN, wanted));
    REQUIRE(symbols.size() == wanted.size());
    CHECK((symbols[0].object && symbols[0].size == 2 * sizeof(long)));
    CHECK((symbols[2].thread_local_storage && symbols[2].defined));
}

TEST_CASE("cutting twice makes the same bytes, in whatever order names were met") {
    const Folder folder;
    elf::NameSet some{"plain_used", "plain_data", "plain_thread_data"};
    elf::NameSet same(1000);
    for (const auto* const name : {"plain_thread_data", "plain_data", "plain_used"})
        same.insert(name);
    REQUIRE(elf::cut_library(KBUILD_ELF_PLAIN, some, folder.file("a")).value());
    REQUIRE(elf::cut_library(KBUILD_ELF_PLAIN, same, folder.file("b")).value());
    CHECK(support::read_file(folder.file("a")).value() ==
          support::read_file(folder.file("b")).value());
}

TEST_CASE("a library that tells a linker more than names is not cut") {
    const Folder folder;
    const std::map<std::string, const char*> libraries{
        {"its names have versions", KBUILD_ELF_FIXTURE},
        {"its path is its name", KBUILD_ELF_NAMELESS},
        {"it uses a name of others", KBUILD_ELF_USES},
        {"a weak name has a strong alias", KBUILD_ELF_WEAK}};
    const elf::NameSet names{"fixture_function", "plain_used"};
    for (const auto& [why, library] : libraries) {
        CAPTURE(why);
        CHECK_FALSE(elf::cut_library(library, names, folder.file("x.so")).value());
        CHECK(support::list_names(folder.folder.path()).value().empty());
    }
}

TEST_CASE("what is no library of this kind is refused") {
    const Folder folder;
    REQUIRE(support::write_file_atomically(folder.file("text"), "INPUT(-lm)\n").has_value());
    auto bytes = support::read_file(KBUILD_ELF_PLAIN).value();
    bytes.resize(bytes.size() / 2);
    REQUIRE(support::write_file_atomically(folder.file("half"), bytes).has_value());
    for (const auto& input : {folder.file("text"),
                              folder.file("half"),
                              folder.file("missing"),
                              fs::path(KBUILD_ELF_USER)}) {
        CAPTURE(input);
        const auto cut = elf::cut_library(input, {"plain_used"}, folder.file("out.so"));
        REQUIRE_FALSE(cut.has_value());
        CHECK(cut.error().kind == support::ErrorKind::content);
    }
    elf::NameSet names;
    CHECK_FALSE(elf::add_shared_names(folder.file("text"), names).has_value());
    CHECK_FALSE(elf::add_shared_names(folder.file("missing"), names).has_value());
}
