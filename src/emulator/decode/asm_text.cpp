#include "decode/asm_text.hpp"

#include "kbuild/support/strings.hpp"

#include <algorithm>
#include <charconv>

namespace kbuild::emulator {
namespace {

/// Cuts at commas outside of brackets.
std::vector<std::string_view> at_commas(std::string_view text) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += text[i] == '[' || text[i] == '(' ? 1 : text[i] == ']' || text[i] == ')' ? -1 : 0;
        if (text[i] == ',' && depth == 0) {
            parts.push_back(support::trim(text.substr(start, i - start)));
            start = i + 1;
        }
    }
    if (const auto last = support::trim(text.substr(start)); !last.empty())
        parts.push_back(last);
    return parts;
}

/// A word such as `offset:16`, `quad_perm:[1,0,3,2]` or `clamp` is no operand.
bool is_modifier(std::string_view word) {
    const auto colon = word.find(':');
    const auto bracket = word.find('[');
    if (colon != std::string_view::npos && (bracket == std::string_view::npos || colon < bracket))
        return true;
    static constexpr std::string_view kWords[] = {"clamp",
                                                  "sc0",
                                                  "sc1",
                                                  "nt",
                                                  "glc",
                                                  "slc",
                                                  "offen",
                                                  "idxen",
                                                  "lds",
                                                  "tfe",
                                                  "row_mirror",
                                                  "row_half_mirror",
                                                  "gds",
                                                  "mul:2"};
    return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

/// Blanks separate an operand from modifiers, but `quad_perm:[1,0]` and `hwreg(A, B)` are one word.
std::vector<std::string_view> at_blanks(std::string_view text) {
    std::vector<std::string_view> words;
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : ' ';
        depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
        if (c != ' ' || depth > 0)
            continue;
        if (i > start)
            words.push_back(text.substr(start, i - start));
        start = i + 1;
    }
    return words;
}

} // namespace

AsmLine split_asm(std::string_view text) {
    AsmLine line;
    const auto blank = text.find_first_of(" \t");
    line.mnemonic = text.substr(0, blank);
    if (blank == std::string_view::npos)
        return line;
    // Counters of s_waitcnt and the like stand without commas.
    for (const auto part : at_commas(text.substr(blank + 1)))
        for (const auto word : at_blanks(part))
            (is_modifier(word) ? line.modifiers : line.operands).emplace_back(word);
    return line;
}

std::optional<std::string_view> modifier(const AsmLine& line, std::string_view name) {
    for (const std::string_view word : line.modifiers)
        if (word.size() > name.size() && word.starts_with(name) && word[name.size()] == ':')
            return word.substr(name.size() + 1);
    return std::nullopt;
}

bool has_modifier(const AsmLine& line, std::string_view name) {
    return std::find(line.modifiers.begin(), line.modifiers.end(), name) != line.modifiers.end();
}

std::vector<u32> number_list(std::string_view text) {
    std::vector<u32> numbers;
    for (const char c : text)
        if (c >= '0' && c <= '9')
            numbers.push_back(static_cast<u32>(c - '0'));
    return numbers;
}

std::optional<i64> parse_integer(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative)
        text.remove_prefix(1);
    const bool hex = text.starts_with("0x");
    if (hex)
        text.remove_prefix(2);
    u64 value = 0;
    const char* const begin = text.data();
    const char* const end = begin + text.size();
    const auto [stop, error] = std::from_chars(begin, end, value, hex ? 16 : 10);
    if (text.empty() || error != std::errc() || stop != end)
        return std::nullopt;
    return static_cast<i64>(negative ? 0U - value : value);
}

} // namespace kbuild::emulator
