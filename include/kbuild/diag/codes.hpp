#pragma once

#include <span>
#include <string_view>

namespace kbuild::diag {

/// A diagnostic code and its one-line title. Ranges: K00 TOML syntax, K01 schema, K02 matrix, K03
/// sources, bindings and Python files, K04 generate, from K0410 flags and package files, K05 build,
/// K06 content of finished files, K07 layout, K08 Hub, K09 files and processes, K10 publishing.
///
/// A code is registered by its page, data/errors/<code>.md, and by nothing else: the page's first
/// line is `# K0104: unknown key`, then comes what it means, then `## Wrong` and `## Right` with an
/// example each (or `## What to do` where the user has written nothing wrong). A test compares the
/// pages with the codes that the sources use.
struct CodeInfo {
    std::string_view code;
    std::string_view title;
};

/// All codes, sorted.
std::span<const CodeInfo> codes();

/// The page of a code (Markdown); empty for an unknown code.
std::string_view page(std::string_view code);

} // namespace kbuild::diag
