#include "kbuild/model/kernel_name.hpp"

#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

namespace kbuild::model {

std::optional<KernelName> KernelName::parse(std::string_view text) {
    constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz";
    constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789-";
    if (text.size() < 2 || !support::contains(kLower, text.substr(0, 1)) || text.back() == '-' ||
        text.find_first_not_of(kAllowed) != std::string_view::npos)
        return std::nullopt;
    KernelName name;
    name.text_ = text;
    return name;
}

std::string KernelName::module() const {
    return support::replace_all(text_, "-", "_");
}

bool is_unique_id(std::string_view text) {
    constexpr std::string_view kAllowed =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    return !text.empty() && text.find_first_not_of(kAllowed) == std::string_view::npos;
}

std::string ops_id(const KernelName& name, Backend backend, std::string_view unique) {
    return fmt::format("_{}_{}_{}", name.module(), to_string(backend), unique);
}

} // namespace kbuild::model
