#include "kbuild/inspect/symbol_name.hpp"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace kbuild::inspect {
namespace {

constexpr std::size_t kLongestMangled = 16384;

std::string demangled(const std::string& symbol) {
    if (!symbol.starts_with("_Z") || symbol.size() > kLongestMangled)
        return symbol;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && text ? std::string(text.get()) : symbol;
}

/// Cut between two code points, so that the text stays UTF-8 if it was.
void cut(std::string& text, std::size_t length) {
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U)
        --length;
    text.resize(length);
}

} // namespace

std::string readable_symbol(const std::string& symbol, std::size_t longest) {
    std::string text = demangled(symbol);
    std::replace_if(
        text.begin(),
        text.end(),
        [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; },
        '?');
    if (text.size() > longest) {
        cut(text, longest);
        text += "…";
    }
    return text;
}

} // namespace kbuild::inspect
