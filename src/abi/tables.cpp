#include "kbuild/abi/tables.hpp"

#include "data_file.hpp"

#include "kbuild/support/embedded.hpp"

namespace kbuild::abi {
namespace {

AddedTable read_table(std::string_view name) {
    const auto data = data_file(name);
    AddedTable table;
    table.source = data.at("source");
    table.date = data.at("date");
    for (const auto& [symbol, version] : data.at("symbols").items())
        table.added[symbol] =
            model::Version::parse(version.get<std::string>()).value_or(model::Version());
    return table;
}

} // namespace

nlohmann::json data_file(std::string_view name) {
    namespace embedded = support::embedded;
    return nlohmann::json::parse(embedded::find(embedded::data(), name));
}

std::optional<model::Version> AddedTable::find(std::string_view name) const {
    const auto found = added.find(name);
    return found == added.end() ? std::nullopt : std::optional(found->second);
}

const AddedTable& python_abi3() {
    static const auto table = read_table("abi/python-abi3.json");
    return table;
}

const AddedTable& torch_stable() {
    static const auto table = read_table("abi/torch-stable.json");
    return table;
}

const std::set<std::string, std::less<>>& python_modules() {
    static const auto names =
        data_file("python-stdlib.json").at("names").get<std::set<std::string, std::less<>>>();
    return names;
}

} // namespace kbuild::abi
