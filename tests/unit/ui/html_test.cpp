#include "kbuild/support/strings.hpp"
#include "kbuild/ui/html.hpp"

#include <catch2/catch.hpp>

#include <stdexcept>

using namespace kbuild::ui;

TEST_CASE("no text becomes markup") {
    CHECK(Html::text("void f<A&, B>(\"x\", 'y')").markup() ==
          "void f&lt;A&amp;, B&gt;(&quot;x&quot;, &#39;y&#39;)");
    CHECK(Html::text("</td><script>").markup() == "&lt;/td&gt;&lt;script&gt;");
    CHECK(Html::text("&lt;").markup() == "&amp;lt;");
}

TEST_CASE("what a hostile file puts into a name is shown, not done") {
    CHECK(Html::text(std::string("a\0b", 3)).markup() == "a\\x00b");
    CHECK(Html::text("\x1b[31m").markup() == "\\x1b[31m");
    CHECK(Html::text("\xff").markup() == "\\xff");
    CHECK(Html::text("\xE2\x80\xAE" // U+202E turns the rest of the line around
                     "x")
              .markup() == "\\u{202e}x");
    CHECK(Html::text("caf\xC3\xA9\n").markup() == "caf\xC3\xA9\n");
}

TEST_CASE("every character of ASCII is itself, an entity, or shown by its number") {
    for (int code = 0; code < 128; ++code) {
        const std::string character(1, static_cast<char>(code));
        const auto markup = Html::text(character).markup();
        const bool bare = markup == character;
        CHECK((bare || markup.front() == '&' || markup.front() == '\\'));
        CHECK_FALSE((bare && kbuild::support::contains("<>&\"'", markup)));
    }
}

TEST_CASE("an attribute cannot be left by its value") {
    CHECK(element("a", {{"title", "\" onclick=\"x"}}, {}).markup() ==
          "<a title=\"&quot; onclick=&quot;x\"></a>");
}

TEST_CASE("names of elements and attributes are the program's own") {
    CHECK_THROWS_AS(element("a b", {}, Html()), std::logic_error);
    CHECK_THROWS_AS(element("a", {{"x>", "1"}}, {}), std::logic_error);
    CHECK_THROWS_AS(element("", {}, Html()), std::logic_error);
}

TEST_CASE("elements hold elements") {
    Html list = element("li", "<1>");
    list += element("li", "2", "dim");
    CHECK(element("ul", {}, list).markup() ==
          "<ul><li>&lt;1&gt;</li><li class=\"dim\">2</li></ul>");
}

TEST_CASE("a table has a heading, and figures stand flush right") {
    CHECK(html_table({"kernel"}, {{{Html::text("g<1>"), false}}, {{Html::text("7"), true}}})
              .markup() ==
          "<div class=\"wide\" tabindex=\"0\"><table><thead><tr><th scope=\"col\">kernel</th></tr>"
          "</thead><tbody><tr><td>g&lt;1&gt;</td></tr><tr><td class=\"figure\">7</td></tr></tbody>"
          "</table></div>");
}

TEST_CASE("a bar is never longer than its limit") {
    const auto width = [](std::uint64_t value, std::uint64_t whole) {
        const auto markup = bar(value, whole, "x", Full::fine).markup();
        const auto at = markup.find("width:") + 6;
        return markup.substr(at, markup.find('%') - at);
    };
    CHECK(width(0, 512) == "0");
    CHECK(width(256, 512) == "50");
    CHECK(width(3, 8) == "37");
    CHECK(width(1000, 512) == "100");
    CHECK(width(7, 0) == "0");
    CHECK(width(~0ULL, ~0ULL) == "100");
    CHECK(kbuild::support::contains(bar(500, 512, "500", Full::scarce).markup(), "bar high"));
    CHECK_FALSE(kbuild::support::contains(bar(500, 512, "500", Full::fine).markup(), "bar high"));
}

TEST_CASE("a page needs nothing from elsewhere") {
    const auto page = html_page("<kernels>", element("h1", "x"));
    CHECK(page.starts_with("<!doctype html>\n"));
    CHECK(kbuild::support::contains(page, "<title>&lt;kernels&gt;</title>"));
    CHECK(kbuild::support::contains(page, "default-src 'none'"));
    for (const auto* const loads :
         {"<script", "<link", "<img", "url(", "@import", "src=", "http://", "https://"})
        CHECK_FALSE(kbuild::support::contains(page, loads));
}
