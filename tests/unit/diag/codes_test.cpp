#include "kbuild/diag/codes.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <regex>
#include <set>

using namespace kbuild;

namespace {

/// Codes in quotes anywhere below src/.
std::set<std::string> codes_in_sources() {
    const std::filesystem::path root = std::filesystem::path(KBUILD_SOURCE_DIR) / "src";
    const std::regex code("\"(K[0-9]{4})\"");
    std::set<std::string> found;
    const auto files = support::list_files(root);
    REQUIRE(files);
    for (const auto& file : *files) {
        const auto text = support::read_file(root / file);
        REQUIRE(text);
        for (std::sregex_iterator match(text->begin(), text->end(), code), end; match != end;
             ++match)
            found.insert((*match)[1]);
    }
    return found;
}

/// Lines that open or close a block of code.
std::size_t fences(std::string_view page) {
    std::size_t count = 0;
    for (auto at = page.find("\n```"); at != std::string_view::npos;
         at = page.find("\n```", at + 1))
        ++count;
    return count;
}

const std::filesystem::path kGoldens =
    std::filesystem::path(KBUILD_SOURCE_DIR) / "tests/cli/cases/codes";

/// What `kbuild check` finds. Others need SDKs, compilers or finished files to be provoked; the
/// tests of their domains do.
bool is_about_project(std::string_view code) {
    return code < "K0400" || (code >= "K0410" && code < "K0450") ||
           (code >= "K0900" && code < "K1000");
}

} // namespace

TEST_CASE("every code that a source uses has a page, and every page a source that uses it") {
    std::set<std::string> paged;
    for (const auto& info : diag::codes())
        paged.emplace(info.code);
    const auto used = codes_in_sources();
    for (const auto& code : used) {
        INFO("write data/errors/" << code << ".md");
        CHECK(paged.contains(code));
    }
    for (const auto& code : paged) {
        INFO("nothing reports " << code);
        CHECK(used.contains(code));
    }
}

TEST_CASE("every page starts with code and title") {
    for (const auto& info : diag::codes()) {
        INFO(info.code);
        CHECK(diag::page(info.code).starts_with("# " + std::string(info.code) + ": "));
        CHECK_FALSE(info.title.empty());
        CHECK_FALSE(info.title.ends_with('.'));
    }
}

TEST_CASE("a page shows a wrong and a right example, or says what to do where nothing was written "
          "wrong") {
    for (const auto& info : diag::codes()) {
        INFO(info.code);
        const auto page = diag::page(info.code);
        const auto has = [page](std::string_view part) {
            return page.find(part) != std::string_view::npos;
        };
        const bool examples = has("\n## Wrong\n") && has("\n## Right\n") && fences(page) >= 4;
        CHECK((examples || (!is_about_project(info.code) && has("\n## What to do\n"))));
    }
}

TEST_CASE("every code about build.toml and the files it lists has a golden test of the command "
          "line, which shows it") {
    for (const auto& info : diag::codes()) {
        if (!is_about_project(info.code))
            continue;
        const auto path = kGoldens / (std::string(info.code) + ".case");
        INFO("write tests/cli/cases/codes/" << info.code << ".case");
        const auto text = support::read_file(path);
        REQUIRE(text);
        CHECK(support::contains(*text, "[" + std::string(info.code) + "]"));
        CHECK(support::contains(*text, "\"code\":\"" + std::string(info.code) + "\""));
        CHECK(support::contains(*text, "=== exit "));
    }
}

TEST_CASE("every golden test of a code is of a code that there is") {
    const auto names = support::list_names(kGoldens);
    REQUIRE(names);
    for (const auto& name : *names) {
        INFO(name);
        CHECK_FALSE(diag::page(name.substr(0, name.find('.'))).empty());
    }
}

TEST_CASE("codes are sorted and each is there once") {
    const auto all = diag::codes();
    CHECK(std::adjacent_find(all.begin(), all.end(), [](const auto& a, const auto& b) {
              return a.code >= b.code;
          }) == all.end());
}

TEST_CASE("an unknown code has no page") {
    CHECK(diag::page("K9999").empty());
    CHECK(diag::page("").empty());
    CHECK(diag::page("../matrix").empty());
}
