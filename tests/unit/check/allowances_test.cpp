#include "kbuild/check/allowances.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using check::without_accepted;

namespace {

diag::Diagnostic finding(const std::string& code, const std::string& path, bool error = false) {
    diag::Diagnostic result;
    result.severity = error ? diag::Severity::error : diag::Severity::warning;
    result.code = code;
    result.span.file = std::make_shared<const diag::SourceFile>("/project/" + path, "");
    return result;
}

std::vector<std::string> codes_of(const diag::Collector& collector) {
    std::vector<std::string> codes;
    for (const auto& found : collector.sorted())
        codes.push_back(found.code);
    return codes;
}

using Codes = std::vector<std::string>;

} // namespace

TEST_CASE("a warning is accepted by its code and the file that it is in") {
    const std::vector<diag::Diagnostic> found = {finding("K0301", "gen/a.hip"),
                                                 finding("K0301", "src/b.hip"),
                                                 finding("K0413", "build.toml")};
    const auto rest = [&found](config::Allowance entry) {
        return codes_of(without_accepted(found, {std::move(entry)}, "/project", true));
    };
    CHECK(rest({"K0301", "", "why", {}}) == Codes{"K0413"});
    CHECK(rest({"K0301", "gen/*", "why", {}}).size() == 2);
    CHECK(rest({"K0301", "src/b.hip", "why", {}}).size() == 2);
}

TEST_CASE("an error cannot be accepted, but a flag that reads a file can") {
    const std::vector<diag::Diagnostic> found = {finding("K0302", "a.cpp", true),
                                                 finding("K0412", "build.toml", true)};
    CHECK(codes_of(without_accepted(
              found, {{"K0302", "", "", {}}, {"K0412", "", "", {}}}, "/project", false)) ==
          Codes{"K0302"});
}

TEST_CASE("an entry that accepts nothing is said if all rules ran") {
    const std::vector<config::Allowance> allow = {{"K0301", "", "why", {}}};
    CHECK(codes_of(without_accepted({}, allow, "/project", true)) == Codes{"K0430"});
    CHECK(codes_of(without_accepted({}, allow, "/project", false)).empty());
}
