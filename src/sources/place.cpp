#include "kbuild/sources/place.hpp"

#include <algorithm>

namespace kbuild::sources {
namespace {

bool starts_code_point(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

void advance(diag::Position& position, std::string_view text) {
    for (const char c : text) {
        if (c == '\n') {
            ++position.line;
            position.column = 1;
        } else if (starts_code_point(c)) {
            ++position.column;
        }
    }
}

} // namespace

diag::SourceSpan span_at(const diag::SourceFilePtr& file, std::size_t offset, std::size_t length) {
    const std::string_view text = file->text();
    offset = std::min(offset, text.size());
    diag::SourceSpan span{file, {1, 1}, {1, 1}};
    advance(span.begin, text.substr(0, offset));
    span.end = span.begin;
    advance(span.end, text.substr(offset, length));
    return span;
}

} // namespace kbuild::sources
