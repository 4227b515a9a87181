#include "kbuild/diag/sink.hpp"

#include <catch2/catch.hpp>

using namespace kbuild::diag;

namespace {

Diagnostic
at(const SourceFilePtr& file, std::size_t line, std::size_t column, std::string message) {
    Diagnostic diagnostic;
    diagnostic.message = std::move(message);
    diagnostic.span = {file, {line, column}, {line, column + 1}};
    return diagnostic;
}

} // namespace

TEST_CASE("diagnostics are told in the order of the file, those without a place first") {
    const auto a = std::make_shared<const SourceFile>("a.toml", "");
    const auto b = std::make_shared<const SourceFile>("b.toml", "");
    Collector collector;
    collector.report(at(b, 1, 1, "5"));
    collector.report(at(a, 10, 1, "4"));
    collector.report(at(a, 9, 7, "3"));
    collector.report(at(a, 9, 2, "2"));
    Diagnostic placeless;
    placeless.message = "1";
    collector.report(placeless);
    std::string order;
    for (const auto& diagnostic : collector.sorted())
        order += diagnostic.message;
    CHECK(order == "12345");
    CHECK(collector.in_order().front()->message == "1");
    const auto moved = std::move(collector).sorted();
    REQUIRE(moved.size() == 5);
    CHECK(moved[2].message == "3");
}

TEST_CASE("errors and warnings are counted apart") {
    Collector collector;
    Diagnostic warning;
    warning.severity = Severity::warning;
    collector.report(warning);
    CHECK_FALSE(collector.has_errors());
    collector.report(Diagnostic{});
    CHECK(collector.has_errors());
    CHECK(collector.count(Severity::error) == 1);
    CHECK(collector.count(Severity::warning) == 1);
}

TEST_CASE("an error watch passes everything on and remembers errors only") {
    Collector collector;
    ErrorWatch watch(collector);
    Diagnostic warning;
    warning.severity = Severity::warning;
    watch.report(warning);
    CHECK_FALSE(watch.has_errors());
    watch.report(Diagnostic{});
    CHECK(watch.has_errors());
    CHECK(collector.sorted().size() == 2);
}
