#pragma once

#include "kbuild/diag/source.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::config {

struct Entry;

/// A TOML value with its place. Tables keep their entries in the order of the file.
struct Value {
    enum class Kind { string, integer, floating, boolean, date, array, table };

    Kind kind = Kind::table;
    std::string text;           ///< string
    std::int64_t integer = 0;   ///< integer
    bool boolean = false;       ///< boolean
    std::vector<Value> items;   ///< array
    std::vector<Entry> entries; ///< table
    /// Of a `[header]` table only the header; of a table that exists by its children only, the
    /// first child's header.
    diag::SourceSpan span;

    const Entry* find(std::string_view key) const;
    const Value* get(std::string_view key) const; ///< null if absent or if this is no table
    const Value* get_table(std::string_view key) const;
};

struct Entry {
    std::string key;
    diag::SourceSpan key_span;
    Value value;
};

/// `a string`, `a table`: what messages call a kind.
std::string_view name_of(Value::Kind kind);

} // namespace kbuild::config
