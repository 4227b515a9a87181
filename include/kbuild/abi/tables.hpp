#pragma once

#include "kbuild/model/version.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace kbuild::abi {

/// Names with the version that brought them.
struct AddedTable {
    std::map<std::string, model::Version, std::less<>> added;
    std::string source; ///< what the data is from: `abi3info 2026.9.25`
    std::string date;   ///< and when

    std::optional<model::Version> find(std::string_view name) const;
};

/// Python's stable ABI: functions and data that extensions of the limited API may use.
const AddedTable& python_abi3();

/// Functions of torch's stable C interface that came with 2.10 or later; older ones are not in it.
const AddedTable& torch_stable();

/// Top-level modules of Python's standard library.
const std::set<std::string, std::less<>>& python_modules();

} // namespace kbuild::abi
