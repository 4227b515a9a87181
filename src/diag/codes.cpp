#include "kbuild/diag/codes.hpp"

#include "kbuild/support/embedded.hpp"
#include "kbuild/support/strings.hpp"

#include <string>
#include <vector>

namespace kbuild::diag {
namespace {

constexpr std::string_view kFolder = "errors/";
constexpr std::string_view kSuffix = ".md";

/// `# K0104: unknown key` -> `unknown key`.
std::string_view title_of(std::string_view text) {
    const auto line = text.substr(0, text.find('\n'));
    const auto colon = line.find(':');
    return colon == std::string_view::npos ? std::string_view()
                                           : support::trim(line.substr(colon + 1));
}

} // namespace

std::span<const CodeInfo> codes() {
    static const std::vector<CodeInfo> all = [] {
        std::vector<CodeInfo> list;
        for (const auto& file : support::embedded::data()) {
            auto name = file.name;
            if (!name.starts_with(kFolder) || !name.ends_with(kSuffix))
                continue;
            name.remove_prefix(kFolder.size());
            name.remove_suffix(kSuffix.size());
            list.push_back({name, title_of(file.text)});
        }
        return list;
    }();
    return all;
}

std::string_view page(std::string_view code) {
    const std::string name = std::string(kFolder) + std::string(code) + std::string(kSuffix);
    return support::embedded::find(support::embedded::data(), name);
}

} // namespace kbuild::diag
