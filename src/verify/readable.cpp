#include "readable.hpp"

#include <fmt/format.h>

namespace kbuild::verify {

std::vector<std::string> first_few(const std::vector<std::string>& lines, std::size_t limit) {
    if (lines.size() <= limit)
        return lines;
    std::vector<std::string> few(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(limit));
    few.push_back(fmt::format("and {} more", lines.size() - limit));
    return few;
}

} // namespace kbuild::verify
