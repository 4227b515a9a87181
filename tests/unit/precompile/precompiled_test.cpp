#include "compiler_command.hpp"

#include "kbuild/precompile/precompiled.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

using namespace kbuild::precompile;
using kbuild::support::ErrorKind;
using kbuild::support::TempDir;
namespace fs = std::filesystem;

namespace {

/// A compiler that copies what it is to compile, and counts how often.
constexpr const char* kCompiler = R"(#!/bin/sh
while [ $# -gt 0 ]; do
    case $1 in
        -MF) depends=$2 ;;
        -o) out=$2 ;;
        -DBROKEN) echo "a.h:1:1: fatal error: no such header"; exit 1 ;;
        -DKILLED) kill -9 $$ ;;
    esac
    last=$1
    shift
done
folder=$(dirname "$0")
echo run >> "$folder/runs"
cp "$last" "$out"
echo "headers.pch: $last $folder/sdk/a.h" > "$depends"
)";

struct Workshop {
    TempDir folder = *TempDir::create(fs::temp_directory_path(), "kbuild-precompiled-");
    fs::path store = folder.path() / "store";
    fs::path header = folder.path() / "sdk/a.h";
    Request request;

    Workshop() {
        request.compiler = folder.path() / "compiler";
        request.environment = {{"PATH", "/usr/bin:/bin"}};
        request.headers = {"a.h"};
        write(request.compiler, kCompiler);
        fs::permissions(request.compiler, fs::perms::owner_all);
        write(header, "#ifdef TUNED\nint tuned;\n#endif\n");
    }
    static void write(const fs::path& path, const std::string& text) {
        REQUIRE(kbuild::support::write_file_atomically(path, text));
    }
    std::string runs() const {
        return kbuild::support::read_file(folder.path() / "runs").value_or("");
    }
    Place place() const { return {store / key_of(request)}; }
};

} // namespace

TEST_CASE("a header is precompiled once and found from then on") {
    const Workshop shop;
    CHECK(find(shop.store, shop.request).error().kind == ErrorKind::nothing);
    const auto made = ensure(shop.store, shop.request);
    REQUIRE(made);
    CHECK(made->headers == std::vector<fs::path>{shop.header});
    CHECK(kbuild::support::read_file(made->file).value() == "#include <a.h>\n");
    CHECK(find(shop.store, shop.request)->file == made->file);
    REQUIRE(ensure(shop.store, shop.request));
    CHECK(shop.runs() == "run\n");
}

TEST_CASE("a header that changed is precompiled anew, with another checksum") {
    const Workshop shop;
    REQUIRE(ensure(shop.store, shop.request));
    const auto before = kbuild::support::read_file(shop.place().checksum()).value();
    Workshop::write(shop.header, "int other_name;\n");
    CHECK(find(shop.store, shop.request).error().kind == ErrorKind::nothing);
    CHECK(ensure(shop.store, shop.request)->mentions("other_name"));
    CHECK(shop.runs() == "run\nrun\n");
    CHECK(kbuild::support::read_file(shop.place().checksum()).value() != before);
    fs::remove(shop.header);
    CHECK(find(shop.store, shop.request).error().kind == ErrorKind::nothing);
}

TEST_CASE("one that is made again from the same headers has the checksum that it had") {
    const Workshop shop;
    REQUIRE(ensure(shop.store, shop.request));
    const auto before = kbuild::support::read_file(shop.place().checksum()).value();
    fs::remove_all(shop.store);
    REQUIRE(ensure(shop.store, shop.request));
    CHECK(kbuild::support::read_file(shop.place().checksum()).value() == before);
}

TEST_CASE("what a killed maker leaves is not taken for whole") {
    Workshop shop;
    shop.request.options = {"-DKILLED"};
    CHECK_FALSE(ensure(shop.store, shop.request));
    CHECK(find(shop.store, shop.request).error().kind == ErrorKind::nothing);
    shop.request.options.clear();
    Workshop::write(shop.place().binary(), "half of it");
    CHECK(find(shop.store, shop.request).error().kind == ErrorKind::nothing);
    CHECK(kbuild::support::read_file(ensure(shop.store, shop.request)->file).value() ==
          "#include <a.h>\n");
}

TEST_CASE("an index without its binary is not taken for whole") {
    const Workshop shop;
    REQUIRE(ensure(shop.store, shop.request));
    fs::remove(shop.place().binary());
    CHECK(find(shop.store, shop.request).error().kind == ErrorKind::nothing);
    REQUIRE(ensure(shop.store, shop.request));
    CHECK(shop.runs() == "run\nrun\n");
}

TEST_CASE("a compiler that refuses says why") {
    Workshop shop;
    shop.request.options = {"-DBROKEN"};
    const auto refused = ensure(shop.store, shop.request);
    CHECK(refused.error().kind == ErrorKind::failed);
    CHECK(refused.error().message.find("no such header") != std::string::npos);
}

TEST_CASE("macros are mentioned by whole words only") {
    const Precompiled header{"x.pch", {}, "\nNDEBUG\nTUNED_2\n"};
    CHECK(header.mentions("NDEBUG"));
    CHECK_FALSE(header.mentions("TUNED"));
    CHECK_FALSE(header.mentions("DEBUG"));
    CHECK_FALSE(header.mentions(""));
}

TEST_CASE("a folder shadows headers that it has a file of the name of") {
    const Workshop shop;
    const Precompiled header{"x.pch", {"/sdk/include/hip/hip_fp16.h", "/usr/lib/c++/bits/x.h"}, {}};
    const std::vector<std::string> roots{"/sdk/include"};
    const auto folder = shop.folder.path() / "own";
    CHECK_FALSE(header.shadowed_by(folder, roots));
    Workshop::write(folder / "hip_fp16.h", "");
    Workshop::write(folder / "include/hip/hip_fp16.h", "");
    CHECK_FALSE(header.shadowed_by(folder, roots));
    Workshop::write(folder / "hip/hip_fp16.h", "");
    CHECK(header.shadowed_by(folder, roots));
}

TEST_CASE("what is in no known folder may be spelled from any of its parts on") {
    const Workshop shop;
    const Precompiled header{"x.pch", {"/usr/lib/c++/bits/x.h"}, {}};
    const auto folder = shop.folder.path() / "own";
    SECTION("from its folder on") {
        Workshop::write(folder / "bits/x.h", "");
    }
    SECTION("by its name") {
        Workshop::write(folder / "x.h", "");
    }
    CHECK(header.shadowed_by(folder, {"/sdk/include"}));
}
