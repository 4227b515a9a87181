#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace kbuild::support {
namespace {

/// Takes away what both words begin and end with; it costs no edit.
void strip_common_ends(std::string_view& a, std::string_view& b) {
    while (!a.empty() && !b.empty() && a.front() == b.front()) {
        a.remove_prefix(1);
        b.remove_prefix(1);
    }
    while (!a.empty() && !b.empty() && a.back() == b.back()) {
        a.remove_suffix(1);
        b.remove_suffix(1);
    }
}

/// Edits (insert, delete, replace, swap of neighbours) between two words.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    strip_common_ends(a, b);
    if (a.empty() || b.empty())
        return a.size() + b.size();
    const std::size_t width = b.size() + 1;
    std::vector<std::size_t> cost((a.size() + 1) * width);
    const auto at = [&cost, width](std::size_t i, std::size_t j) -> std::size_t& {
        return cost[i * width + j];
    };
    for (std::size_t i = 0; i <= a.size(); ++i)
        at(i, 0) = i;
    std::iota(cost.begin(), cost.begin() + static_cast<std::ptrdiff_t>(width), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replace = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
            at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, replace});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
        }
    }
    return at(a.size(), b.size());
}

} // namespace

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = text.find(separator, begin)) != std::string_view::npos;
         begin = end + 1)
        parts.emplace_back(text.substr(begin, end - begin));
    parts.emplace_back(text.substr(begin));
    return parts;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
    return fmt::format("{}", fmt::join(parts, separator));
}

std::string_view trim(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\n\f\v";
    const auto begin = text.find_first_not_of(kBlank);
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

std::string to_lower(std::string_view text) {
    std::string lower(text);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return lower;
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

bool is_plain_word(std::string_view word) {
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=/.,:+@%";
    return !word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos;
}

std::string shell_quote(const std::string& word) {
    return is_plain_word(word) ? word : "'" + replace_all(word, "'", "'\\''") + "'";
}

std::string plural(std::size_t count, std::string_view singular, std::string_view plural_form) {
    if (count == 1)
        return fmt::format("1 {}", singular);
    if (!plural_form.empty())
        return fmt::format("{} {}", count, plural_form);
    return fmt::format("{} {}s", count, singular);
}

std::string end_of(std::string_view text, std::size_t bytes) {
    if (text.size() <= bytes)
        return std::string(text);
    const auto tail = text.substr(text.size() - bytes);
    const auto line = tail.find('\n');
    return "[…]\n" + std::string(line == std::string_view::npos ? tail : tail.substr(line + 1));
}

std::string human_size(std::uintmax_t bytes) {
    if (bytes < 1000)
        return fmt::format("{} B", bytes);
    double value = static_cast<double>(bytes) / 1000.0;
    const char* const units[] = {"kB", "MB", "GB", "TB"};
    std::size_t unit = 0;
    for (; value >= 999.95 && unit + 1 < std::size(units); ++unit)
        value /= 1000.0;
    return fmt::format("{:.1f} {}", value, units[unit]);
}

std::optional<std::string> closest(std::string_view word,
                                   const std::vector<std::string>& candidates) {
    std::optional<std::string> best;
    // One edit in three letters: `rocm-arch` finds `rocm-archs`, `foo` finds nothing.
    std::size_t best_cost = std::max<std::size_t>(word.size() / 3, 1) + 1;
    const std::string lower = to_lower(word);
    for (const auto& candidate : candidates) {
        const std::size_t longer = std::max(word.size(), candidate.size());
        const std::size_t shorter = std::min(word.size(), candidate.size());
        if (longer - shorter >= best_cost)
            continue; // at least that many edits: not worth the table below
        const std::size_t cost = edit_distance(lower, to_lower(candidate));
        if (cost < best_cost) {
            best = candidate;
            best_cost = cost;
        }
    }
    return best;
}

bool matches_glob(std::string_view pattern, std::string_view name) {
    std::size_t p = 0;
    std::size_t n = 0;
    std::size_t star = std::string_view::npos;
    std::size_t retry = 0;
    while (n < name.size()) {
        if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
            ++p;
            ++n;
        } else if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            retry = n;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++retry;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

} // namespace kbuild::support
