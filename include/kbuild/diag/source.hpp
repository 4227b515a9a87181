#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::diag {

/// A place in a text file. Lines and columns count from 1; columns count code points.
struct Position {
    std::size_t line = 1;
    std::size_t column = 1;
    auto operator<=>(const Position&) const = default;
};

/// A text file that diagnostics point into; immutable, shared by all spans of it.
class SourceFile {
  public:
    /// `name` is what messages show; `text` the bytes that were parsed.
    SourceFile(std::string name, std::string text);

    const std::string& name() const { return name_; }
    const std::string& text() const { return text_; }
    std::size_t line_count() const { return line_starts_.size(); }

    /// The line without its end-of-line characters; empty beyond the last line.
    std::string_view line(std::size_t number) const;

  private:
    std::string name_;
    std::string text_;
    std::vector<std::size_t> line_starts_;
};

using SourceFilePtr = std::shared_ptr<const SourceFile>;

/// A piece of a source file, `end` exclusive. A span without a file is «no place».
struct SourceSpan {
    SourceFilePtr file;
    Position begin;
    Position end;
    explicit operator bool() const { return file != nullptr; }
};

} // namespace kbuild::diag
