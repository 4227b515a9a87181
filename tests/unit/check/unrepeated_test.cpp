#include "kbuild/check/unrepeated.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;

namespace {

const auto kFile = std::make_shared<const diag::SourceFile>("build.toml", "");

diag::Diagnostic
at(std::size_t line, const std::string& code, diag::Severity severity = diag::Severity::error) {
    diag::Diagnostic result;
    result.severity = severity;
    result.code = code;
    if (line > 0)
        result.span = {kFile, {line, 1}, {line, 5}};
    return result;
}

std::vector<std::string> codes_left(const diag::Collector& collector) {
    std::vector<std::string> codes;
    for (const auto& found : collector.sorted())
        codes.push_back(found.code);
    return codes;
}

} // namespace

TEST_CASE("a place that is an error already gets no second opinion; any other place does") {
    diag::Collector found;
    found.report(at(3, "K0103"));
    found.report(at(4, "K0109", diag::Severity::warning));
    diag::Collector opinions;
    for (const std::size_t line : {0U, 3U, 4U, 5U})
        opinions.report(at(line, "K0323"));
    check::add_unrepeated(opinions, found);
    CHECK(codes_left(found) ==
          std::vector<std::string>{"K0323", "K0103", "K0109", "K0323", "K0323"});
}
