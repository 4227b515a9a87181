#include "sample.hpp"

#include "kbuild/support/strings.hpp"
#include "kbuild/ui/render.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace kbuild;
using nlohmann::json;

namespace {

template <typename T> std::string render(const T& value, ui::MessageFormat format) {
    return ui::render(value, {format, false});
}

} // namespace

TEST_CASE("the short form is one line that editors can jump from") {
    CHECK(render(sample::unknown_key(), ui::MessageFormat::short_) ==
          "build.toml:3:2: error[K9999]: unknown key `rocm-arch`\n");
    const support::Error error(support::ErrorKind::failed, "a\nb", "help");
    CHECK(render(error, ui::MessageFormat::short_) == "error: a b\n");
}

TEST_CASE("JSON is one object on one line with everything in it") {
    const auto text = render(sample::unknown_key(), ui::MessageFormat::json);
    CHECK(text.find('\n') == text.size() - 1);
    const auto object = json::parse(text);
    CHECK(object == json::parse(R"({
        "reason": "diagnostic", "severity": "error", "code": "K9999", "message": "unknown key `rocm-arch`",
        "spans": [
            {"file": "build.toml", "line": 3, "column": 2, "end_line": 3, "end_column": 11,
             "primary": true, "label": "not a key of a `rocm` kernel"},
            {"file": "build.toml", "line": 1, "column": 1, "end_line": 1, "end_column": 14,
             "primary": false, "label": "in this table"}],
        "notes": [], "help": ["did you mean `rocm-archs`?"]})"));
}

TEST_CASE("an error as JSON has kind and exit code") {
    const auto error = support::Error(support::ErrorKind::toolchain, "no SDK", "add one")
                           .with_context("selecting");
    CHECK(
        json::parse(render(error, ui::MessageFormat::json)) ==
        json::parse(R"({"reason": "error", "kind": "toolchain", "exit_code": 5, "message": "no SDK",
                          "context": ["selecting"], "help": "add one"})"));
}

TEST_CASE("JSON stays valid whatever bytes a name has") {
    const support::Error error(support::ErrorKind::failed, "bad \xFF name \x1b");
    CHECK(json::parse(render(error, ui::MessageFormat::json)).at("message") ==
          "bad \xEF\xBF\xBD name \x1b");
}

TEST_CASE("a GitHub annotation points at the place and carries the whole text") {
    CHECK(render(sample::unknown_key(), ui::MessageFormat::github) ==
          "::error file=build.toml,line=3,endLine=3,col=2,endColumn=11,title=K9999::unknown key "
          "`rocm-arch`%0Anot a key of a `rocm` kernel%0Abuild.toml:1:1: in this table%0Ahelp: did "
          "you "
          "mean `rocm-archs`?\n");
}

TEST_CASE("what would end a property or a command is escaped") {
    auto diagnostic = sample::unknown_key();
    diagnostic.severity = diag::Severity::warning;
    diagnostic.span = sample::span(sample::file("x", "a,b:c%d.toml"), 1, 1, 2);
    diagnostic.related.clear();
    diagnostic.label.clear();
    diagnostic.help.clear();
    diagnostic.message = "50% of a:b,c\nnext";
    CHECK(render(diagnostic, ui::MessageFormat::github) ==
          "::warning file=a%2Cb%3Ac%25d.toml,line=1,endLine=1,col=1,endColumn=2,title=K9999::50%25 "
          "of "
          "a:b,c%0Anext\n");
}

TEST_CASE("a carriage return cannot start a second workflow command") {
    const support::Error error(support::ErrorKind::failed, "x\r\n::add-mask::y");
    const auto text = render(error, ui::MessageFormat::github);
    CHECK(text.find('\r') == std::string::npos);
    CHECK(text.find('\n') == text.size() - 1);
    CHECK(text.starts_with("::error title=kbuild::x"));
}

TEST_CASE("a place over several lines has no columns to end at") {
    auto diagnostic = sample::unknown_key();
    diagnostic.span.end = {5, 1};
    const auto text = render(diagnostic, ui::MessageFormat::github);
    CHECK(support::contains(text, "line=3,endLine=5,col=2,title="));
}
