#include "kbuild/model/version.hpp"

#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <charconv>

namespace kbuild::model {

Version::Version(std::vector<std::uint32_t> components) : components_(std::move(components)) {
    while (components_.size() > 1 && components_.back() == 0)
        components_.pop_back();
}

std::optional<Version> Version::parse(std::string_view text) {
    std::vector<std::uint32_t> components;
    for (const auto& part : support::split(support::trim(text), '.')) {
        std::uint32_t number = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
        if (error != std::errc{} || end != part.data() + part.size())
            return std::nullopt;
        components.push_back(number);
    }
    return Version(std::move(components));
}

std::uint32_t Version::at(std::size_t index) const {
    return index < components_.size() ? components_[index] : 0;
}

Version Version::major_minor() const {
    return Version({at(0), at(1)});
}

std::string Version::to_string() const {
    return fmt::format("{}", fmt::join(components_, "."));
}

std::string Version::dotted() const {
    return fmt::format("{}.{}", at(0), at(1));
}

std::string Version::compact() const {
    return fmt::format("{}{}", at(0), at(1));
}

bool VersionRange::contains(const Version& version) const {
    return (!min || *min <= version) && (!max || version <= *max);
}

std::string VersionRange::to_string() const {
    if (min && max)
        return fmt::format("{} to {}", min->to_string(), max->to_string());
    if (min)
        return fmt::format(">= {}", min->to_string());
    if (max)
        return fmt::format("<= {}", max->to_string());
    return "any";
}

} // namespace kbuild::model
