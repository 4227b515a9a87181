#pragma once

#include "value.hpp"

#include "kbuild/diag/source.hpp"

#include <string>
#include <string_view>
#include <vector>

/// Changes of a TOML text that leave every other byte as it is.
namespace kbuild::config {

/// Bytes `begin` to `end` (exclusive) become `text`.
struct Edit {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string text;
};
using Edits = std::vector<Edit>;

/// The text with all edits made. They may not overlap; insertions at one place keep their order.
std::string apply_edits(std::string_view text, const Edits& edits);

/// The byte of `file` that a position stands for; its size beyond the last line.
std::size_t offset_of(const diag::SourceFile& file, diag::Position position);

/// The bytes of a span.
std::string_view slice(const diag::SourceSpan& span);

/// Where `table` can take another key.
///
/// A table is written in one of three ways: under a `[header]`, in braces, or by dotted keys.
bool is_inline(const Value& table);
bool has_header(const Value& table);

/// `key = value` right behind or before `entry`, which is one of `table`: on a line of its own with
/// the same indentation and the same dots before the key, or within the braces.
Edit insert_after(const Value& table, const Entry& entry, std::string_view assignment);
Edit insert_before(const Value& table, const Entry& entry, std::string_view assignment);

/// Takes `entry` out of `table`; a comment behind it stays, on its own line.
Edit remove_entry(const Value& table, const Entry& entry);

/// Takes an item out of a list.
Edit remove_item(const Value& item);

/// Lines at the end of a table under a header: before whatever comes behind its last entry.
Edit append_lines(const Entry& last, std::string_view lines);

/// A table without keys at the end of the file.
Edit append_table(const diag::SourceFile& file, std::string_view header);

Edit replace(const diag::SourceSpan& span, std::string text);

} // namespace kbuild::config
