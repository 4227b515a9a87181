#include "kbuild/support/utf8.hpp"

#include <algorithm>
#include <cstring>

namespace kbuild::support {
namespace {

/// Bytes of a code point as its first byte says; 0 for a byte that starts none.
std::size_t sequence_length(unsigned char first) {
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first <= 0xDF)
        return 2;
    if (first >= 0xE0 && first <= 0xEF)
        return 3;
    if (first >= 0xF0 && first <= 0xF4)
        return 4;
    return 0;
}

std::uint32_t leading_bits(unsigned char first, std::size_t length) {
    constexpr std::uint32_t kMasks[] = {0x7F, 0x7F, 0x1F, 0x0F, 0x07};
    return first & kMasks[length];
}

/// Whether `value` may be written with `length` bytes and is a character at all.
bool is_scalar(std::uint32_t value, std::size_t length) {
    constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    return value >= kSmallest[length] && value <= 0x10FFFF && !surrogate;
}

/// How many bytes from `at` on are ASCII: nearly all of nearly every text, eight at a time.
std::size_t ascii_run(std::string_view text, std::size_t at) {
    constexpr std::uint64_t kHighBits = 0x8080808080808080U;
    const std::size_t begin = at;
    for (std::uint64_t word = 0; at + sizeof(word) <= text.size(); at += sizeof(word)) {
        std::memcpy(&word, text.data() + at, sizeof(word));
        if ((word & kHighBits) != 0)
            break;
    }
    while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80)
        ++at;
    return at - begin;
}

} // namespace

CodePoint code_point_at(std::string_view text, std::size_t offset) {
    const auto first = static_cast<unsigned char>(text[offset]);
    const std::size_t length = sequence_length(first);
    if (length == 0 || offset + length > text.size())
        return {first, 1, false};
    std::uint32_t value = leading_bits(first, length);
    for (std::size_t i = 1; i < length; ++i) {
        const auto next = static_cast<unsigned char>(text[offset + i]);
        if ((next & 0xC0U) != 0x80U)
            return {first, 1, false};
        value = (value << 6U) | (next & 0x3FU);
    }
    if (!is_scalar(value, length))
        return {first, 1, false};
    return {value, length, true};
}

std::size_t count_code_points(std::string_view text) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t ascii = ascii_run(text, at);
        count += ascii;
        at += ascii;
        if (at == text.size())
            break;
        at += code_point_at(text, at).bytes;
        ++count;
    }
    return count;
}

std::string_view drop_code_points(std::string_view text, std::size_t count) {
    std::size_t at = 0;
    while (count > 0 && at < text.size()) {
        // A code point has one byte at least, so that it is not looked further than needed.
        const std::size_t ascii =
            ascii_run(text.substr(0, at + std::min(count, text.size() - at)), at);
        at += ascii;
        count -= ascii;
        if (count == 0 || at == text.size())
            break;
        at += code_point_at(text, at).bytes;
        --count;
    }
    return text.substr(at);
}

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        at += ascii_run(text, at);
        if (at == text.size())
            break;
        const auto point = code_point_at(text, at);
        if (!point.valid)
            return at;
        at += point.bytes;
    }
    return std::nullopt;
}

} // namespace kbuild::support
