#include "python_tables.hpp"

#include "kbuild/support/embedded.hpp"

#include <nlohmann/json.hpp>

namespace kbuild::check {
namespace {

nlohmann::json read_data(std::string_view name) {
    return nlohmann::json::parse(support::embedded::find(support::embedded::data(), name));
}

} // namespace

PythonDepends read_python_depends() {
    const auto json = read_data("python-depends.json");
    PythonDepends depends;
    depends.general = json.at("general").get<DependencyTable>();
    for (const auto& [backend, table] : json.at("backends").items())
        depends.backends[backend] = table.get<DependencyTable>();
    return depends;
}

std::set<std::string, std::less<>> read_standard_modules() {
    return read_data("python-stdlib.json").at("names").get<std::set<std::string, std::less<>>>();
}

} // namespace kbuild::check
