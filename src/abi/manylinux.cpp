#include "kbuild/abi/manylinux.hpp"

#include "data_file.hpp"

#include "kbuild/model/version.hpp"

#include <algorithm>

namespace kbuild::abi {

std::string ManylinuxPolicy::newest(const std::string& family) const {
    std::optional<model::Version> best;
    std::string text;
    const auto found = versions.find(family);
    if (found == versions.end())
        return text;
    for (const auto& version : found->second)
        if (const auto number = model::Version::parse(version);
            number && (!best || *best < *number)) {
            best = number;
            text = version;
        }
    return text;
}

std::optional<SymbolVersion> parse_symbol_version(std::string_view text) {
    const auto at = text.find('_');
    if (at == std::string_view::npos || at == 0 || at + 1 == text.size())
        return std::nullopt;
    return SymbolVersion{std::string(text.substr(0, at)), std::string(text.substr(at + 1))};
}

Verdict judge(const ManylinuxPolicy& policy, std::string_view symbol_version) {
    const auto version = parse_symbol_version(symbol_version);
    if (!version)
        return Verdict::not_known;
    const auto family = policy.versions.find(version->family);
    if (family == policy.versions.end())
        return Verdict::not_known;
    return family->second.contains(version->number) ? Verdict::allowed : Verdict::too_new;
}

std::vector<std::string> manylinux_policies() {
    std::vector<std::string> names;
    const auto data = data_file("abi/manylinux.json");
    for (const auto& policy : data.at("policies"))
        names.push_back(policy.at("name"));
    return names;
}

std::optional<ManylinuxPolicy> manylinux_policy(std::string_view name, const std::string& cpu) {
    const auto data = data_file("abi/manylinux.json");
    for (const auto& entry : data.at("policies")) {
        if (entry.at("name") != name || !entry.at("versions").contains(cpu))
            continue;
        ManylinuxPolicy policy;
        policy.name = name;
        policy.versions = entry.at("versions").at(cpu);
        policy.libraries = entry.at("libraries");
        policy.source = data.at("source");
        policy.date = data.at("date");
        return policy;
    }
    return std::nullopt;
}

} // namespace kbuild::abi
