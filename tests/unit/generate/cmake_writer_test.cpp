#include "kbuild/generate/cmake_writer.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using kbuild::generate::cmake_literal;
using kbuild::generate::CMakeWriter;

namespace {

/// What CMake makes of a variable written by the writer: its list items, one a line.
std::string read_back(const CMakeWriter& writer, const std::string& variable) {
    const auto folder = std::filesystem::temp_directory_path() / "kbuild-cmake-writer-test";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "data.cmake") << writer.text();
    std::ofstream(folder / "read.cmake")
        << "include(${CMAKE_CURRENT_LIST_DIR}/data.cmake)\n"
           "foreach(item IN LISTS "
        << variable
        << ")\n  file(APPEND ${CMAKE_CURRENT_LIST_DIR}/out \"[${item}]\\n\")\nendforeach()\n";
    std::filesystem::remove(folder / "out");
    const auto command = "cmake -P " + (folder / "read.cmake").string();
    REQUIRE(std::system(command.c_str()) == 0);
    std::stringstream text;
    text << std::ifstream(folder / "out").rdbuf();
    return text.str();
}

} // namespace

TEST_CASE("a literal is fenced so that its text cannot end it") {
    CHECK(cmake_literal("plain") == "[[plain]]");
    CHECK(cmake_literal("a]]b") == "[=[a]]b]=]");
    CHECK(cmake_literal("a]]b]=]c") == "[==[a]]b]=]c]==]");
    CHECK(cmake_literal("ends]") == "[=[ends]]=]");
    CHECK(cmake_literal("\nfirst") == "[[\n\nfirst]]");
}

TEST_CASE("CMake reads list items back as they were written") {
    CMakeWriter writer;
    writer.set_list("VALUES",
                    {"-DA=\"x y\"", "$HOME ${VAR} $ENV{X}", "a#b", "c:\\dir\\x", "semi;colon"});
    CHECK(read_back(writer, "VALUES") ==
          "[-DA=\"x y\"]\n[$HOME ${VAR} $ENV{X}]\n[a#b]\n[c:\\dir\\x]\n[semi;colon]\n");
}

TEST_CASE("an empty list is an empty list") {
    CMakeWriter writer;
    writer.set_list("VALUES", {});
    CHECK(writer.text() == "set(VALUES \"\")\n");
}
