#pragma once

#include "kbuild/diag/diagnostic.hpp"

#include <memory>

/// Diagnostics for the tests of this domain. Their code has no page, so that none is offered.
namespace sample {

using kbuild::diag::Diagnostic;
using kbuild::diag::SourceFile;
using kbuild::diag::SourceFilePtr;
using kbuild::diag::SourceSpan;

inline SourceFilePtr file(std::string text, std::string name = "build.toml") {
    return std::make_shared<const SourceFile>(std::move(name), std::move(text));
}

inline SourceSpan
span(const SourceFilePtr& source, std::size_t line, std::size_t begin, std::size_t end) {
    return {source, {line, begin}, {line, end}};
}

/// An unknown key in line 3 of a table whose header is line 1.
inline Diagnostic unknown_key() {
    const auto source =
        file("[kernel.gemm]\nbackend = \"rocm\"\n\trocm-arch = [\"gfx942\"] # \xC3\xA9\n");
    Diagnostic diagnostic;
    diagnostic.code = "K9999";
    diagnostic.message = "unknown key `rocm-arch`";
    diagnostic.span = span(source, 3, 2, 11);
    diagnostic.label = "not a key of a `rocm` kernel";
    diagnostic.related = {{span(source, 1, 1, 14), "in this table"}};
    diagnostic.help = {"did you mean `rocm-archs`?"};
    return diagnostic;
}

} // namespace sample
