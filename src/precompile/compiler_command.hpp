#pragma once

#include "kbuild/precompile/request.hpp"
#include "kbuild/process/command.hpp"

namespace kbuild::precompile {

/// The files of one precompiled header.
struct Place {
    std::filesystem::path folder;
    std::filesystem::path source() const { return folder / "headers.hpp"; }
    std::filesystem::path binary() const { return folder / "headers.pch"; }
    std::filesystem::path dependencies() const { return folder / "headers.d"; }
    std::filesystem::path words() const { return folder / "words"; }
    /// Stands for the content of the binary before ccache, which would have to read all of it.
    std::filesystem::path checksum() const { return folder / "headers.pch.sum"; }
    /// What the compiler said when it refused the headers.
    std::filesystem::path refusal() const { return folder / "refusal"; }
    /// Written last: what was read, as it was. Its time is the last use.
    std::filesystem::path index() const { return folder / "index"; }
};

/// The text of `place.source()`.
std::string source_text(const Request& request);

/// Makes `place.binary()` and `place.dependencies()` from `place.source()`.
process::Command compiler_command(const Request& request, const Place& place);

} // namespace kbuild::precompile
