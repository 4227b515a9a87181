#include "package_index.hpp"

#include "kbuild/support/strings.hpp"

#include <charconv>

namespace kbuild::toolchain {
namespace {

std::string bare_name(std::string_view text) {
    text = support::trim(text);
    return std::string(text.substr(0, text.find_first_of(" (:[")));
}

void take_field(Package& package, std::string_view name, std::string_view value) {
    value = support::trim(value);
    if (name == "Package") {
        package.name = value;
    } else if (name == "Version") {
        package.version = value;
    } else if (name == "SHA256") {
        package.sha256 = value;
    } else if (name == "Size") {
        std::from_chars(value.data(), value.data() + value.size(), package.size);
    } else if (name == "Depends" || name == "Pre-Depends") {
        for (auto& group : parse_dependencies(value))
            package.depends.push_back(std::move(group));
    }
}

} // namespace

std::string Package::upstream_version() const {
    const auto colon = version.find(':');
    std::string_view text = version;
    if (colon != std::string::npos)
        text.remove_prefix(colon + 1);
    text = text.substr(0, text.find_first_not_of("0123456789."));
    return std::string(text);
}

std::vector<std::vector<std::string>> parse_dependencies(std::string_view field) {
    std::vector<std::vector<std::string>> groups;
    for (const auto& entry : support::split(field, ',')) {
        std::vector<std::string> names;
        for (const auto& alternative : support::split(entry, '|'))
            if (auto name = bare_name(alternative); !name.empty())
                names.push_back(std::move(name));
        if (!names.empty())
            groups.push_back(std::move(names));
    }
    return groups;
}

PackageIndex parse_packages(std::string_view text) {
    PackageIndex index;
    Package package;
    const auto finish = [&] {
        if (!package.name.empty())
            index.emplace(package.name, package);
        package = {};
    };
    for (const auto& line : support::split(text, '\n')) {
        const auto colon = line.find(':');
        if (support::trim(line).empty())
            finish();
        else if (line.front() != ' ' && colon != std::string::npos)
            take_field(package,
                       std::string_view(line).substr(0, colon),
                       std::string_view(line).substr(colon + 1));
    }
    finish();
    return index;
}

} // namespace kbuild::toolchain
