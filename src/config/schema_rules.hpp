#pragma once

#include "schema.hpp"

/// How rows of a schema are written down.
namespace kbuild::config::rules {

constexpr KeyRule required(std::string_view name, Type type, std::string_view example) {
    return {.name = name, .type = type, .required = true, .example = example};
}

constexpr KeyRule optional(std::string_view name, Type type) {
    return {.name = name, .type = type};
}

constexpr KeyRule optional_list(std::string_view name, Type type) {
    return {.name = name, .type = type, .list = true};
}

constexpr KeyRule required_list(std::string_view name, Type type, std::string_view example) {
    return {.name = name, .type = type, .list = true, .required = true, .example = example};
}

constexpr KeyRule table(std::string_view name, const TableRule& rule) {
    return {.name = name, .type = Type::table, .table = &rule};
}

constexpr KeyRule required_table(std::string_view name, const TableRule& rule) {
    return {.name = name, .type = Type::table, .required = true, .table = &rule};
}

/// The table of kernel sections, each of which is as `rule` says.
constexpr KeyRule sections(std::string_view name, const TableRule& rule) {
    return {.name = name, .type = Type::kernels, .table = &rule};
}

constexpr KeyRule since_5(KeyRule rule) {
    rule.since = 5;
    return rule;
}

constexpr KeyRule only(model::Backend backend, KeyRule rule) {
    rule.only = backend;
    return rule;
}

} // namespace kbuild::config::rules
