#pragma once

#include <nlohmann/json.hpp>

#include <string_view>

namespace kbuild::abi {

/// A file of data/, which is part of the program: that it can be read is tested, not checked.
nlohmann::json data_file(std::string_view name);

} // namespace kbuild::abi
