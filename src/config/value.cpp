#include "value.hpp"

#include <algorithm>

namespace kbuild::config {

const Entry* Value::find(std::string_view key) const {
    const auto found = std::find_if(
        entries.begin(), entries.end(), [key](const Entry& entry) { return entry.key == key; });
    return found == entries.end() ? nullptr : &*found;
}

const Value* Value::get(std::string_view key) const {
    const Entry* const entry = find(key);
    return entry == nullptr ? nullptr : &entry->value;
}

const Value* Value::get_table(std::string_view key) const {
    const Value* const value = get(key);
    return value != nullptr && value->kind == Kind::table ? value : nullptr;
}

std::string_view name_of(Value::Kind kind) {
    switch (kind) {
    case Value::Kind::string:
        return "a string";
    case Value::Kind::integer:
        return "an integer";
    case Value::Kind::floating:
        return "a floating-point number";
    case Value::Kind::boolean:
        return "a boolean";
    case Value::Kind::date:
        return "a date or time";
    case Value::Kind::array:
        return "a list";
    case Value::Kind::table:
        return "a table";
    }
    return "";
}

} // namespace kbuild::config
