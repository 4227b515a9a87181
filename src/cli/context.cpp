#include "kbuild/cli/command.hpp"

#include <cstdio>
#include <string>

namespace kbuild::cli {

void Context::data(const std::string& text) const {
    std::fwrite(text.data(), 1, text.size(), stdout);
}

void Context::say(const std::string& line) const {
    if (globals_.verbosity < 0)
        return;
    std::fputs((line + "\n").c_str(), stderr);
}

void Context::show(const diag::Collector& collector) const {
    // In one piece: stderr has no buffer, and a file can have ten thousand mistakes.
    std::string text;
    for (const auto* diagnostic : collector.in_order())
        if (globals_.verbosity >= 0 || diagnostic->severity == diag::Severity::error)
            text += ui::render(*diagnostic, globals_.style);
    std::fwrite(text.data(), 1, text.size(), stderr);
}

void Context::show(const support::Error& error) const {
    std::fputs(ui::render(error, globals_.style).c_str(), stderr);
}

} // namespace kbuild::cli
