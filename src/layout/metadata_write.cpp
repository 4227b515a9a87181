#include "kbuild/layout/metadata.hpp"

#include <nlohmann/json.hpp>

namespace kbuild::layout {
namespace {

using Json = nlohmann::ordered_json; // keeps the keys in the order they are set

Json to_json(const KernelDependencyEntry& entry) {
    Json json;
    json["repo-id"] = entry.repo_id;
    if (entry.version)
        json["version"] = *entry.version;
    if (entry.revision)
        json["revision"] = *entry.revision;
    return json;
}

Json backend_to_json(const Metadata& metadata) {
    Json json;
    json["type"] = model::to_string(metadata.backend);
    if (metadata.archs) {
        json["archs"] = Json::array();
        for (const auto& arch : *metadata.archs)
            json["archs"].push_back(arch.to_string());
    } else if (metadata.other_archs) {
        json["archs"] = *metadata.other_archs;
    }
    return json;
}

Json digest_to_json(const Metadata& metadata) {
    Json files = Json::object();
    for (const auto& entry : *metadata.digest)
        files[entry.path] = entry.base64;
    Json json;
    json["algorithm"] = metadata.digest_algorithm;
    json["files"] = std::move(files);
    return json;
}

void set_commit(Json& json, const CommitState& commit) {
    json["commit"] = commit.commit;
    json["dirty"] = commit.dirty;
}

Json to_json(const Provenance& provenance) {
    Json json;
    json["kernel-builder"]["version"] = provenance.builder_version;
    if (provenance.builder_commit)
        set_commit(json["kernel-builder"], *provenance.builder_commit);
    if (provenance.kernel)
        set_commit(json["kernel"], *provenance.kernel);
    if (provenance.torch_sdk)
        json["kbuild"]["torch"] = *provenance.torch_sdk;
    if (provenance.rocm_sdk)
        json["kbuild"]["rocm"] = *provenance.rocm_sdk;
    return json;
}

} // namespace

std::string write_metadata(const Metadata& metadata) {
    Json json;
    json["name"] = metadata.name;
    json["id"] = metadata.id;
    json["version"] = metadata.version;
    if (metadata.kernels_minver)
        json["kernels-minver"] = *metadata.kernels_minver;
    json["license"] = metadata.license;
    if (metadata.upstream)
        json["upstream"] = *metadata.upstream;
    if (metadata.source)
        json["source"] = *metadata.source;
    json["python-depends"] = metadata.python_depends;
    json["kernel-depends"] = Json::array();
    for (const auto& entry : metadata.kernel_depends)
        json["kernel-depends"].push_back(to_json(entry));
    json["backend"] = backend_to_json(metadata);
    if (metadata.digest)
        json["digest"] = digest_to_json(metadata);
    if (metadata.provenance)
        json["provenance"] = to_json(*metadata.provenance);
    // File names need not be UTF-8; upstream writes them with replacement characters too.
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

} // namespace kbuild::layout
