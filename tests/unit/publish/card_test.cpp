#include "kbuild/publish/card.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using publish::CardValues;
using Names = std::vector<std::string>;

namespace {

const CardValues kValues = {{"repo_id", std::string("lab/gemm")},
                            {"upstream", std::string()},
                            {"has_benchmark", true},
                            {"functions", Names{"gemm", "quantize"}},
                            {"layers", Names{}}};

std::string filled(const std::string& card) {
    diag::Collector findings;
    const auto text = publish::render_card(
        std::make_shared<diag::SourceFile>("CARD.md", card), kValues, findings);
    return text.value_or("no card");
}

std::string mistake(const std::string& card) {
    diag::Collector findings;
    const auto text = publish::render_card(
        std::make_shared<diag::SourceFile>("CARD.md", card), kValues, findings);
    REQUIRE_FALSE(text);
    REQUIRE(findings.sorted().size() == 1);
    const auto finding = findings.sorted()[0];
    CHECK(finding.code == "K1008");
    return std::to_string(finding.span.begin.line) + ":" +
           std::to_string(finding.span.begin.column) + " " + finding.message;
}

} // namespace

TEST_CASE("values and filters") {
    CHECK(filled("# {{ repo_id }}!") == "# lab/gemm!");
    CHECK(filled("{{repo_id|upper}}") == "LAB/GEMM");
    CHECK(filled("{{ functions | join(\", \") }}") == "gemm, quantize");
    CHECK(filled("{{ has_benchmark }}{{ upstream }}") == "true");
    CHECK(filled("a {b} {c") == "a {b} {c");
}

TEST_CASE("conditions: what is empty does not hold") {
    CHECK(filled("{% if functions %}yes{% endif %}") == "yes");
    CHECK(filled("{% if upstream %}a{% elif layers %}b{% else %}c{% endif %}") == "c");
    CHECK(filled("{% if not layers %}none{% endif %}") == "none");
    CHECK(filled("{% if has_benchmark %}a{% else %}b{% endif %}") == "a");
    CHECK(filled("{% if upstream %}{% if functions %}x{% endif %}{% else %}y{% endif %}") == "y");
}

TEST_CASE("loops, and the line end after a block") {
    CHECK(filled("{% for f in functions %}\n- {{ f }}\n{% endfor %}\nend\n") ==
          "- gemm\n- quantize\nend\n");
    CHECK(filled("{% for f in layers %}x{% endfor %}") == "");
    CHECK(filled("a\n{#- note -#}\nb") == "ab");
    CHECK(filled("a  {%- if functions -%}  b {% endif %}c") == "ab c");
}

TEST_CASE("what upstream's engine knows and this one does not is a mistake with its place") {
    CHECK(mistake("a\n  {{ nope }}")
              .starts_with("2:3 the card cannot be filled: `nope` stands for nothing; "));
    CHECK(mistake("{{ repo_id | title }}") ==
          "1:1 the card cannot be filled: the filter `title` is not known here");
    CHECK(mistake("{% set x = 1 %}") == "1:1 the card cannot be filled: `set` is not known here");
    CHECK(mistake("{% if functions %}") ==
          "1:1 the card cannot be filled: `endif` is missing at the end");
    CHECK(mistake("{% endif %}") == "1:1 the card cannot be filled: `endif` is not known here");
    CHECK(mistake("{{ repo_id") == "1:1 the card cannot be filled: `{{` is never closed");
    CHECK(mistake("{{ functions }}").find("a list is not text") != std::string::npos);
    CHECK(mistake("{% for f in repo_id %}{% endfor %}") ==
          "1:1 the card cannot be filled: `repo_id` is no list");
}

TEST_CASE("exported names are a plain list of texts at the top level") {
    CHECK(publish::exported_names("import x\n__all__ = [\n  'a',  # one\n  \"b\",\n]\n") ==
          Names{"a", "b"});
    CHECK(publish::exported_names("__all__ = []").empty());
    CHECK(publish::exported_names("__all__ = ['a'] + more") == Names{"a"});
    CHECK(publish::exported_names("__all__ = [name]").empty());
    CHECK(publish::exported_names("__all__ = ('a',)").empty());
    CHECK(publish::exported_names("__all__ == ['a']").empty());
    CHECK(publish::exported_names("x = 1").empty());
    CHECK(publish::exported_names("__all__ = ['a").empty());
}

TEST_CASE("layers are the classes of the module of that name") {
    CHECK(publish::class_names("class A(nn.Module):\n  pass\nclass B:\n  class C: pass\n") ==
          Names{"A", "B"});
}

TEST_CASE("a project's values") {
    const auto project = support::TempDir::create("/tmp", "kbuild-card-").value();
    const auto package = project.path() / "torch-ext/my_kernel";
    REQUIRE(support::write_file_atomically(package / "__init__.py", "__all__ = ['f', 'layers']\n"));
    REQUIRE(support::write_file_atomically(package / "layers.py", "class Norm(nn.Module): pass\n"));
    const auto values = publish::card_values(
        project.path(), {"lab/k", 3, "my_kernel", "Apache-2.0", std::nullopt, "https://s.test"});
    REQUIRE(values);
    CHECK(values->at("functions") == publish::CardValue(Names{"f"}));
    CHECK(values->at("layers") == publish::CardValue(Names{"Norm"}));
    CHECK(values->at("license") == publish::CardValue(std::string("apache-2.0")));
    CHECK(values->at("version") == publish::CardValue(std::string("3")));
    CHECK(values->at("upstream") == publish::CardValue(std::string()));
    CHECK(values->at("has_benchmark") == publish::CardValue(false));
}
