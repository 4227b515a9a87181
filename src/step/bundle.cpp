#include "kbuild/step/bundle.hpp"

#include <charconv>

namespace kbuild::step {
namespace {

constexpr std::string_view kMagic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::size_t kNumber = 8; // bytes

void add_number(std::string& to, std::uint64_t number) {
    for (std::size_t byte = 0; byte < kNumber; ++byte)
        to += static_cast<char>(number >> (8 * byte));
}

std::uint64_t aligned(std::uint64_t offset, std::uint64_t alignment) {
    return (offset + alignment - 1) / alignment * alignment;
}

std::vector<std::string> split_at_commas(std::string_view list) {
    std::vector<std::string> words;
    for (;;) {
        const auto comma = list.find(',');
        words.emplace_back(list.substr(0, comma));
        if (comma == std::string_view::npos)
            return words;
        list.remove_prefix(comma + 1);
    }
}

bool is_number(std::string_view text, std::uint64_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() && number > 0;
}

bool take(std::string_view option, BundleRequest& request) {
    const auto equals = option.find('=');
    if (equals == std::string_view::npos)
        return false;
    const auto name = option.substr(0, equals);
    const auto value = option.substr(equals + 1);
    if (name == "-type")
        return value == "o";
    if (name == "-bundle-align")
        return is_number(value, request.alignment);
    if (name == "-targets")
        request.targets = split_at_commas(value);
    else if (name == "-input")
        request.inputs.emplace_back(value);
    else if (name == "-output")
        request.output = value;
    else
        return false;
    return true;
}

} // namespace

std::optional<BundleRequest> parse_bundle_request(const std::vector<std::string_view>& options) {
    BundleRequest request;
    for (const auto option : options)
        if (!take(option, request))
            return std::nullopt;
    if (request.output.empty() || request.targets.size() != request.inputs.size())
        return std::nullopt;
    return request;
}

BundleLayout lay_out(const BundleRequest& request, const std::vector<std::uint64_t>& sizes) {
    std::uint64_t end = kMagic.size() + kNumber;
    for (const auto& target : request.targets)
        end += 3 * kNumber + target.size();
    BundleLayout layout;
    layout.header = kMagic;
    add_number(layout.header, request.targets.size());
    for (std::size_t i = 0; i < request.targets.size(); ++i) {
        const auto offset = aligned(end, request.alignment);
        layout.offsets.push_back(offset);
        add_number(layout.header, offset);
        add_number(layout.header, sizes[i]);
        add_number(layout.header, request.targets[i].size());
        layout.header += request.targets[i];
        end = offset + sizes[i];
    }
    return layout;
}

} // namespace kbuild::step
