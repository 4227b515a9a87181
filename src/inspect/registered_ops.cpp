#include "kbuild/inspect/registered_ops.hpp"

#include "kbuild/inspect/host_code.hpp"

#include <algorithm>
#include <set>

namespace kbuild::inspect {
namespace {

constexpr std::size_t kLongestSchema = 4096;
constexpr std::uint64_t kMostStrings = std::uint64_t{64} << 20U; // bytes
constexpr std::string_view kArrow = " -> ";

bool is_name_character(char character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (character >= '0' && character <= '9') || character == '_' || character == '.' ||
           character == ':';
}

/// The index behind the parenthesis that closes the one at `open`; npos if none does.
std::size_t behind_parenthesis(std::string_view text, std::size_t open) {
    std::size_t depth = 0;
    for (auto at = open; at < text.size(); ++at) {
        depth += text[at] == '(' ? 1 : 0;
        depth -= text[at] == ')' ? 1 : 0;
        if (depth == 0)
            return at + 1;
    }
    return std::string_view::npos;
}

bool is_schema(std::string_view text) {
    const auto open = text.find('(');
    if (text.size() > kLongestSchema || open == 0 || open == std::string_view::npos)
        return false;
    const auto name = text.substr(0, open);
    const bool plain =
        std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
    if (!plain || !std::all_of(name.begin(), name.end(), is_name_character))
        return false;
    const auto behind = behind_parenthesis(text, open);
    return behind != std::string_view::npos && text.substr(behind).starts_with(kArrow) &&
           text.size() > behind + kArrow.size();
}

} // namespace

bool RegisteredOps::may_register(std::string_view name) const {
    for (auto at = strings.find(name); at != std::string::npos; at = strings.find(name, at + 1)) {
        const auto behind = at + name.size();
        // `gemm`, `gemm(…)`, `gemm.out(…)`
        if (behind == strings.size() || strings[behind] == '\0' || strings[behind] == '(' ||
            strings[behind] == '.')
            return true;
    }
    return false;
}

support::Result<std::optional<RegisteredOps>> read_registered_ops(const std::filesystem::path& path,
                                                                  const elf::ElfFile& file) {
    RegisteredOps ops;
    ops.name_space = host_code(file).op_namespace;
    const auto* const strings = file.section(".rodata");
    if (ops.name_space.empty() || strings == nullptr || strings->size > kMostStrings)
        return std::optional<RegisteredOps>();
    KB_TRY_ASSIGN(bytes, elf::read_section(path, *strings));
    ops.strings = std::move(bytes);
    ops.schemas = find_op_schemas(ops.strings);
    return std::optional(std::move(ops));
}

std::vector<std::string> find_op_schemas(std::string_view data) {
    std::set<std::string> schemas;
    while (!data.empty()) {
        const auto text = data.substr(0, data.find('\0'));
        if (is_schema(text))
            schemas.emplace(text);
        data.remove_prefix(std::min(text.size() + 1, data.size()));
    }
    return {schemas.begin(), schemas.end()};
}

} // namespace kbuild::inspect
