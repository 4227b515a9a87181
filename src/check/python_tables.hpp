#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace kbuild::check {

/// Python dependency -> the modules that it brings. Embedded data (data/python-depends.json).
using DependencyTable = std::map<std::string, std::vector<std::string>, std::less<>>;

struct PythonDepends {
    DependencyTable general;
    std::map<std::string, DependencyTable, std::less<>> backends;
};

PythonDepends read_python_depends();

/// Top-level modules of Python's standard library. Embedded data (data/python-stdlib.json, made by
/// scripts/update-python-stdlib).
std::set<std::string, std::less<>> read_standard_modules();

} // namespace kbuild::check
