#include "kbuild/config/json_schema.hpp"

#include "rocm_archs.hpp"
#include "schema.hpp"

#include "kbuild/support/strings.hpp"

#include <nlohmann/json.hpp>

namespace kbuild::config {
namespace {

using Json = nlohmann::ordered_json;
using model::Backend;

constexpr int kEdition = 5;
constexpr const char* kVersion = "^\\s*[0-9]+(\\.[0-9]+)*\\s*$";

Json object_of(const TableRule& rule, std::optional<Backend> backend);

Json text(const char* pattern) {
    return {{"type", "string"}, {"pattern", pattern}};
}

Json arch_schema() {
    auto names = known_archs();
    names.insert(names.end(), {"gfx940", "gfx941"}); // retired: a warning, no mistake
    const auto pattern = "^(" + support::join(names, "|") + ")(:sramecc[+-])?(:xnack[+-])?$";
    return text(pattern.c_str());
}

/// A version of two components, of which the second is not dropped as a trailing zero; for all
/// backends or for each.
Json stable_abi_schema() {
    Json version = text("^\\s*[0-9]+\\.0*[1-9][0-9]*(\\.0+)*\\s*$");
    Json backends = Json::object();
    for (const auto& name : allowed_values(Type::backend))
        backends[name] = version;
    Json table = {{"type", "object"}, {"properties", backends}, {"additionalProperties", false}};
    return {{"oneOf", Json::array({std::move(version), std::move(table)})}};
}

Json dependency_schema(const TableRule& rule) {
    Json schema = object_of(rule, std::nullopt);
    schema["oneOf"] = Json::array({Json{{"required", Json::array({"version"})}},
                                   Json{{"required", Json::array({"revision"})}}});
    return schema;
}

/// Sections of one shape per backend, told apart by their `backend`.
Json kernels_schema(const TableRule& rule) {
    Json shapes = Json::array();
    for (const auto& name : allowed_values(Type::kernel_backend)) {
        Json shape = object_of(rule, model::parse_backend(name));
        shape["title"] = name + " kernel";
        shape["properties"]["backend"] = {{"enum", Json::array({name})}};
        shapes.push_back(std::move(shape));
    }
    return {{"type", "object"}, {"additionalProperties", {{"oneOf", std::move(shapes)}}}};
}

Json scalar_schema(Type type) {
    if (const auto values = allowed_values(type); !values.empty() && type != Type::gfx_arch)
        return {{"enum", values}};
    switch (type) {
    case Type::boolean:
        return {{"type", "boolean"}};
    case Type::unsigned_integer:
        return {{"type", "integer"}, {"minimum", 0}};
    case Type::version:
        return text(kVersion);
    case Type::kernel_name:
        return text("^[a-z][-a-z0-9]*[a-z0-9]$");
    case Type::git_url:
        return text("^((https?|git|ssh|git\\+ssh|git\\+https?)://.+|[^/:]+:[^/].*)$");
    case Type::gfx_arch:
        return arch_schema();
    case Type::path:
        return text("^[^\\u0000-\\u001f\\u007f]+$");
    case Type::stable_abi:
        return stable_abi_schema();
    default:
        return {{"type", "string"}};
    }
}

Json value_schema(const KeyRule& rule) {
    switch (rule.type) {
    case Type::table:
        return object_of(*rule.table, std::nullopt);
    case Type::kernel_dependency:
        return dependency_schema(*rule.table);
    case Type::kernels:
        return kernels_schema(*rule.table);
    default:
        return scalar_schema(rule.type);
    }
}

Json object_of(const TableRule& rule, std::optional<Backend> backend) {
    Json schema = {{"type", "object"}, {"properties", Json::object()}};
    Json required = Json::array();
    for (const auto& key : rule.keys) {
        if (!applies(key, kEdition, backend))
            continue;
        Json value = value_schema(key);
        if (key.list)
            value = {{"type", "array"}, {"items", std::move(value)}};
        schema["properties"][std::string(key.name)] = std::move(value);
        if (key.required)
            required.push_back(key.name);
    }
    if (!required.empty()) // draft 4 wants one entry at least
        schema["required"] = std::move(required);
    schema["additionalProperties"] = false;
    return schema;
}

} // namespace

std::string build_json_schema() {
    Json schema = {{"$schema", "http://json-schema.org/draft-04/schema#"},
                   {"title", "build.toml, edition 5"}};
    schema.update(object_of(build_schema(), std::nullopt));
    schema["properties"]["general"]["properties"]["edition"] = {{"enum", Json::array({kEdition})}};
    schema["properties"]["kernel"]["additionalProperties"]["description"] = "a kernel section";
    Json frameworks = Json::array();
    for (const auto* name : {"torch", "torch-noarch", "tvm-ffi"})
        frameworks.push_back({{"required", Json::array({name})}});
    schema["oneOf"] = std::move(frameworks);
    return schema.dump(2) + "\n";
}

} // namespace kbuild::config
