#include "variant_folder.hpp"

#include "kbuild/support/strings.hpp"
#include "kbuild/verify/compare.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using Lines = std::vector<std::string>;

namespace {

class TwoLibraries {
  public:
    Lines compare(const test::ElfImage& before, const test::ElfImage& after) const {
        REQUIRE(support::write_file_atomically(path("a.so"), test::build_elf(before)));
        REQUIRE(support::write_file_atomically(path("b.so"), test::build_elf(after)));
        const auto lines = verify::compare_libraries(path("a.so"), path("b.so"));
        REQUIRE(lines);
        return *lines;
    }
    std::filesystem::path path(const char* name) const { return dir_.path() / name; }

  private:
    support::TempDir dir_ =
        *support::TempDir::create(std::filesystem::temp_directory_path(), "kbuild-compare-");
};

test::ElfImage with_sections(std::vector<test::ElfSection> sections) {
    test::ElfImage image;
    image.sections = std::move(sections);
    return image;
}

} // namespace

TEST_CASE("equal libraries have no difference") {
    const auto image = with_sections({{".text", SHT_PROGBITS, "abcd"}});
    CHECK(TwoLibraries().compare(image, image).empty());
}

TEST_CASE("a section that differs is named, with where or by how much") {
    const auto before =
        with_sections({{".text", SHT_PROGBITS, "abcd"}, {".comment", SHT_PROGBITS, "GCC 12"}});
    const auto after =
        with_sections({{".text", SHT_PROGBITS, "abxd"}, {".comment", SHT_PROGBITS, "GCC 13.1"}});
    CHECK(TwoLibraries().compare(before, after) ==
          Lines{"`.comment`: 8 bytes, were 6", "`.text`: other bytes from 0x2"});
}

TEST_CASE("a section that only one has is named; of two with one name each is compared") {
    const auto before =
        with_sections({{".note", SHT_NOTE, "a"}, {".note", SHT_NOTE, "b"}, {".old", SHT_NOTE, ""}});
    const auto after =
        with_sections({{".note", SHT_NOTE, "a"}, {".note", SHT_NOTE, "c"}, {".new", SHT_NOTE, ""}});
    auto lines = TwoLibraries().compare(before, after);
    REQUIRE(lines.size() == 4);
    CHECK(lines.back().starts_with("`.shstrtab`")); // the table of their names
    lines.pop_back();
    CHECK(lines == Lines{"`.new`: only in the new one",
                         "`.note (2)`: other bytes from 0x0",
                         "`.old`: only in the old one"});
}

TEST_CASE("what lies outside of all sections is not overlooked") {
    auto after = with_sections({});
    after.executable_stack = true; // a program header
    CHECK(TwoLibraries().compare(with_sections({}), after) ==
          Lines{"headers: other bytes outside of all sections"});
}

TEST_CASE("what is no library cannot be compared") {
    const TwoLibraries files;
    REQUIRE(support::write_file_atomically(files.path("a.so"), "text"));
    REQUIRE(support::write_file_atomically(files.path("b.so"), "texts"));
    CHECK_FALSE(verify::compare_libraries(files.path("a.so"), files.path("b.so")));
    CHECK_FALSE(verify::compare_libraries(files.path("a.so"), files.path("c.so")));
}
