#include "kbuild/matrix/published.hpp"

#include "kbuild/support/embedded.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace kbuild::matrix {
namespace {

using model::Version;
using nlohmann::json;

Version version_of(const std::string& text) {
    return Version::parse(text).value_or(Version());
}

std::vector<Version> versions_of(const json& list) {
    std::vector<Version> versions;
    for (const auto& text : list)
        versions.push_back(version_of(text.get<std::string>()));
    std::sort(versions.begin(), versions.end());
    return versions;
}

/// The data is part of this program and a unit test reads all of it: no errors to handle here.
PublishedMatrix read_matrix() {
    const auto data = json::parse(
        support::embedded::find(support::embedded::data(), "matrix.json"), nullptr, false);
    PublishedMatrix matrix;
    if (!data.is_object())
        return matrix;
    matrix.date = data.value("date", "");
    matrix.torch = versions_of(data.at("torch"));
    matrix.rocm = versions_of(data.at("rocm"));
    matrix.rocm_cpu = data.value("rocm_cpu", "");
    for (const auto& [torch, rocm] : data.at("wheels").items())
        matrix.wheels[version_of(torch)] = versions_of(rocm);
    for (const auto& [rocm, reason] : data.at("not_fetched").items())
        matrix.not_fetched[version_of(rocm)] = reason.get<std::string>();
    return matrix;
}

bool contains(const std::vector<Version>& versions, const Version& version) {
    return std::find(versions.begin(), versions.end(), version) != versions.end();
}

} // namespace

bool PublishedMatrix::has_pair(const Version& torch_version, const Version& rocm_version) const {
    return contains(torch, torch_version) && contains(rocm, rocm_version);
}

bool PublishedMatrix::has_wheel(const Version& torch_version, const Version& rocm_version) const {
    const auto found = wheels.find(torch_version);
    return found != wheels.end() && contains(found->second, rocm_version);
}

const PublishedMatrix& published_matrix() {
    static const PublishedMatrix matrix = read_matrix();
    return matrix;
}

} // namespace kbuild::matrix
