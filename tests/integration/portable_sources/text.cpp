// Text: regex, conversion of numbers, streams, locales, string.
#include "checks.h"

#include <charconv>
#include <iomanip>
#include <iostream>
#include <locale>
#include <regex>
#include <sstream>

namespace {

struct Grouping : std::numpunct<char> {
    char do_thousands_sep() const override { return '_'; }
    std::string do_grouping() const override { return "\3"; }
};

void check_numbers() {
    char text[64];
    const auto shortest = std::to_chars(text, text + 64, 0.1);
    CHECK(std::string(text, shortest.ptr) == "0.1");
    const auto fixed = std::to_chars(text, text + 64, 3.14159F, std::chars_format::fixed, 2);
    CHECK(std::string(text, fixed.ptr) == "3.14");
    double value = 0;
    const std::string source = "2.5e3";
    CHECK(std::from_chars(source.data(), source.data() + source.size(), value).ec == std::errc());
    CHECK(value == 2500);
}

void check_regex() {
    std::smatch match;
    const std::string text = "gemm 942";
    CHECK(std::regex_match(text, match, std::regex("([a-z]+) ([0-9]+)")) && match[2] == "942");
    bool refused = false;
    try {
        std::regex wrong("([");
    } catch (const std::regex_error&) {
        refused = true;
    }
    CHECK(refused);
}

void check_streams() {
    std::stringstream stream;
    stream.imbue(std::locale(std::locale::classic(), new Grouping));
    stream << 1234567 << ' ' << std::fixed << std::setprecision(2) << 2.5;
    CHECK(stream.str() == "1_234_567 2.50");
    std::tm time{};
    std::istringstream date("2026-02-03");
    date >> std::get_time(&time, "%Y-%m-%d");
    CHECK(time.tm_year == 126);
    std::cout << "text" << std::endl;
    CHECK(std::cout.good());
    bool refused = false;
    try {
        std::string("short").substr(9);
    } catch (const std::out_of_range&) {
        refused = true;
    }
    CHECK(refused);
}

} // namespace

void run_checks() {
    check_numbers();
    check_regex();
    check_streams();
}
