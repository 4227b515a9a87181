#include "kbuild/build/recorded_build.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/version_info.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kbuild::build {
namespace {

using Json = nlohmann::ordered_json;
using support::Result;

/// `name` -> the digest of that kind, of the entries that have one.
std::map<std::string, std::string> digests(const Json& list, const char* kind) {
    std::map<std::string, std::string> found;
    for (const auto& entry : list)
        if (entry.at("digest").contains(kind))
            found[entry.at("name").get<std::string>()] =
                entry.at("digest").at(kind).get<std::string>();
    return found;
}

RecordedBuild decode(const Json& statement) {
    const auto& predicate = statement.at("predicate");
    const auto& definition = predicate.at("buildDefinition");
    const auto& external = definition.at("externalParameters");
    const auto& dependencies = definition.at("resolvedDependencies");
    const auto& version = predicate.at("runDetails").at("builder").at("version");
    RecordedBuild recorded;
    recorded.variant = external.at("variant").get<std::string>();
    recorded.archs = external.at("archs").get<std::vector<std::string>>();
    recorded.policy = external.at("policy").get<std::string>();
    recorded.id = definition.at("internalParameters").at("id").get<std::string>();
    recorded.builder = version.at("kbuild").get<std::string>();
    if (version.contains("commit"))
        recorded.builder += " " + version.at("commit").get<std::string>();
    recorded.inputs = digests(dependencies, "sha256");
    recorded.sdks = digests(dependencies, "kbuildSdkContent");
    recorded.outputs = digests(statement.at("subject"), "sha256");
    return recorded;
}

} // namespace

Result<RecordedBuild> read_recorded_build(std::string_view json) {
    try {
        return decode(Json::parse(json));
    } catch (const Json::exception& error) {
        return support::fail(
            support::ErrorKind::content,
            fmt::format("it is no provenance that kbuild wrote: {}", error.what()));
    }
}

std::vector<std::string> changed_inputs(const RecordedBuild& recorded,
                                        const std::filesystem::path& project) {
    std::vector<std::string> changes;
    for (const auto& [name, sha256] : recorded.inputs) {
        const auto digest = support::sha256_file(project / name);
        if (!digest)
            changes.push_back(fmt::format("`{}` cannot be read", name));
        else if (support::to_hex(*digest) != sha256)
            changes.push_back(fmt::format("`{}` has other bytes", name));
    }
    return changes;
}

} // namespace kbuild::build
