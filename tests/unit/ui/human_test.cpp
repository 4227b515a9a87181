#include "sample.hpp"

#include "kbuild/support/strings.hpp"
#include "kbuild/ui/render.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;

namespace {

std::string human(const diag::Diagnostic& diagnostic) {
    return ui::render(diagnostic, {});
}

} // namespace

TEST_CASE("a diagnostic shows the lines involved, with what is wrong underlined") {
    CHECK(human(sample::unknown_key()) == R"(error[K9999]: unknown key `rocm-arch`
 --> build.toml:3:2
  |
1 | [kernel.gemm]
  | ------------- in this table
...
3 |     rocm-arch = ["gfx942"] # é
  |     ^^^^^^^^^ not a key of a `rocm` kernel
  = help: did you mean `rocm-archs`?

)");
}

TEST_CASE("the gutter is as wide as the largest line number") {
    auto diagnostic = sample::unknown_key();
    const auto source = sample::file(std::string(99, '\n') + "last\n");
    diagnostic.span = sample::span(source, 100, 1, 5);
    diagnostic.label.clear();
    diagnostic.related = {{sample::span(source, 99, 1, 1), "before"}};
    CHECK(human(diagnostic) == R"(error[K9999]: unknown key `rocm-arch`
   --> build.toml:100:1
    |
 99 |
    | - before
100 | last
    | ^^^^
    = help: did you mean `rocm-archs`?

)");
}

TEST_CASE("two places in one line are underlined one below the other") {
    auto diagnostic = sample::unknown_key();
    const auto source = sample::file("a = 1, b = 2");
    diagnostic.span = sample::span(source, 1, 8, 9);
    diagnostic.label = "here";
    diagnostic.related = {{sample::span(source, 1, 1, 2), "there"}};
    diagnostic.help.clear();
    CHECK(human(diagnostic) == R"(error[K9999]: unknown key `rocm-arch`
 --> build.toml:1:8
  |
1 | a = 1, b = 2
  |        ^ here
  | - there

)");
}

TEST_CASE("places in two files are two excerpts") {
    auto diagnostic = sample::unknown_key();
    const auto other = sample::file("x\n", "kbuild.toml");
    diagnostic.related = {{sample::span(other, 1, 1, 2), "see here"}};
    const auto text = human(diagnostic);
    CHECK(support::contains(text, " --> build.toml:3:2\n"));
    CHECK(support::contains(text, " ::: kbuild.toml:1:1\n"));
}

TEST_CASE("what goes on over several lines is underlined to the end of its first") {
    auto diagnostic = sample::unknown_key();
    const auto source = sample::file("src = [\n  \"a\"\n]\n");
    diagnostic.span = {source, {1, 7}, {3, 2}};
    diagnostic.label = "empty";
    diagnostic.related.clear();
    CHECK(support::contains(human(diagnostic), "1 | src = [\n  |       ^ empty\n"));
}

TEST_CASE("a place at the end of the file is still shown") {
    auto diagnostic = sample::unknown_key();
    diagnostic.span = sample::span(sample::file(""), 1, 1, 1);
    diagnostic.related.clear();
    CHECK(support::contains(human(diagnostic), "1 |\n  | ^ not a key"));
    diagnostic.span = sample::span(sample::file("a\n"), 7, 3, 4);
    CHECK(support::contains(human(diagnostic), "7 |\n  | ^ not a key"));
}

TEST_CASE("a diagnostic without a place is a headline with footnotes") {
    diag::Diagnostic diagnostic;
    diagnostic.severity = diag::Severity::warning;
    diagnostic.message = "something";
    diagnostic.notes = {"one\ntwo"};
    CHECK(human(diagnostic) == "warning: something\n = note: one\n         two\n\n");
}

TEST_CASE("columns count characters, whatever their bytes") {
    auto diagnostic = sample::unknown_key();
    diagnostic.span = sample::span(sample::file("\xC3\xA9\xE2\x82\xAC key"), 1, 4, 7);
    diagnostic.related.clear();
    diagnostic.label.clear();
    CHECK(support::contains(human(diagnostic), "  |    ^^^\n"));
}

TEST_CASE("a very long line is cut around the place") {
    auto diagnostic = sample::unknown_key();
    diagnostic.span = sample::span(
        sample::file(std::string(5000, 'a') + "X" + std::string(5000, 'b')), 1, 5001, 5002);
    diagnostic.related.clear();
    diagnostic.label.clear();
    const auto text = human(diagnostic);
    CHECK(text.size() < 600);
    const auto lines = support::split(text, '\n');
    CHECK(lines[3].find('X') == lines[4].find('^'));
}

TEST_CASE("two places in a very long line share one window") {
    auto diagnostic = sample::unknown_key();
    const auto source = sample::file(std::string(5000, 'a') + "X");
    diagnostic.span = sample::span(source, 1, 5001, 5002);
    diagnostic.related = {{sample::span(source, 1, 1, 2), "far away"}};
    const auto lines = support::split(human(diagnostic), '\n');
    CHECK(lines[3].find('X') == lines[4].find('^'));
    CHECK(lines[5].size() < 200);
}

TEST_CASE("nothing in a user's file or message can steer the terminal") {
    auto diagnostic = sample::unknown_key();
    const auto source =
        sample::file("a = \"\x1b[2J\x07\xC2\x9B\xFF\xE2\x80\xAE\"\n", "evil\x1b]0;x\x07.toml");
    diagnostic.span = sample::span(source, 1, 1, 2);
    diagnostic.related.clear();
    diagnostic.message = "unknown key `\x1b[31m`";
    diagnostic.label = "\xE2\x80\xAE";
    diagnostic.notes = {"a\rb"};
    const auto text = human(diagnostic);
    for (const char c : text)
        CHECK((c == '\n' || static_cast<unsigned char>(c) >= 0x20));
    CHECK(support::contains(text, "unknown key `\\x1b[31m`"));
    CHECK(support::contains(text, "evil\\x1b]0;x\\x07.toml"));
    CHECK_FALSE(support::contains(text, "\xE2\x80\xAE"));
    CHECK_FALSE(support::contains(text, "\xC2\x9B"));
}

TEST_CASE("colour changes nothing but colour") {
    auto text = ui::render(sample::unknown_key(), {ui::MessageFormat::human, true});
    CHECK(support::contains(text, "\x1b["));
    for (auto at = text.find('\x1b'); at != std::string::npos; at = text.find('\x1b'))
        text.erase(at, text.find('m', at) - at + 1);
    CHECK(text == human(sample::unknown_key()));
}

TEST_CASE("a code with a page is followed by the command that shows it") {
    auto diagnostic = sample::unknown_key();
    diagnostic.code = "K0104";
    CHECK(
        support::contains(human(diagnostic), "= help: run `kbuild explain K0104` for examples\n"));
}

TEST_CASE("a failed operation is told with what was being done and what mends it") {
    const auto error =
        support::Error(support::ErrorKind::failed, "no space left", "free some\nor more")
            .with_context("writing `a`");
    CHECK(ui::render(error, {}) ==
          "error: no space left\n  while writing `a`\nhelp: free some\n      or more\n");
}
