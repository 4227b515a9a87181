#include "fake_tools.hpp"
#include "runnable.hpp"

#include "kbuild/elf/elf_file.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using namespace kbuild::toolchain;
namespace fs = std::filesystem;

namespace {

struct Folder {
    support::TempDir temp = support::TempDir::create("/tmp", "kbuild-runnable-").value();
    fs::path bin = temp.path() / "a bin";
    fs::path lib = temp.path() / "lib";
    Folder() {
        fs::create_directories(bin);
        fs::create_directories(lib);
        fs::copy_file("/bin/true", bin / "program");
        test::write(bin / "script", "#!/bin/sh\n", true);
        fs::create_symlink("program", bin / "link");
    }
};

} // namespace

TEST_CASE("programs are ELF files; scripts and links are none") {
    const Folder folder;
    CHECK(programs_in(folder.bin).value() == std::vector<fs::path>{folder.bin / "program"});
}

TEST_CASE("a program gets the loader's final place and a run path") {
    if (!support::find_program("patchelf")) {
        WARN("patchelf is not installed: not tested");
        return;
    }
    const Folder folder;
    REQUIRE(make_runnable({folder.bin / "program"}, "/final place/ld.so", "$ORIGIN/../lib")
                .has_value());
    CHECK(elf::read_elf(folder.bin / "program")->run_paths ==
          std::vector<std::string>{"$ORIGIN/../lib"});
    CHECK(support::read_file(folder.bin / "program")->find("/final place/ld.so") !=
          std::string::npos);
}

TEST_CASE("a program that needs a library which is not there is removed") {
    const Folder folder;
    REQUIRE(settle_needs({folder.bin / "program"}, {folder.lib}, {}).has_value());
    CHECK_FALSE(support::path_exists(folder.bin / "program"));
}

TEST_CASE("a library that is needed only for unused features is stood in for") {
    const Folder folder;
    REQUIRE(settle_needs({folder.bin / "program"}, {folder.lib}, {"libc.so.6"}).has_value());
    CHECK(support::path_exists(folder.bin / "program"));
    const auto stand_in = elf::read_elf(folder.lib / "libc.so.6");
    REQUIRE(stand_in.has_value());
    CHECK_FALSE(stand_in->symbols.empty());
}
