#include "readable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace kbuild::verify {

std::string readable_symbol(const std::string& symbol) {
    constexpr std::size_t kLongest = 200;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> demangled(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
    std::string text = status == 0 && demangled ? demangled.get() : symbol;
    if (text.size() > kLongest)
        text = text.substr(0, kLongest) + "…";
    return text;
}

std::vector<std::string> first_few(const std::vector<std::string>& lines, std::size_t limit) {
    if (lines.size() <= limit)
        return lines;
    std::vector<std::string> few(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(limit));
    few.push_back(fmt::format("and {} more", lines.size() - limit));
    return few;
}

} // namespace kbuild::verify
