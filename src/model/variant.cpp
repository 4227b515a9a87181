#include "kbuild/model/variant.hpp"

#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace kbuild::model {
namespace {

struct BackendPrefix {
    std::string_view prefix;
    Backend backend;
    bool versioned;
};

constexpr std::array kComputeNames = {BackendPrefix{"cann", Backend::cann, true},
                                      BackendPrefix{"cpu", Backend::cpu, false},
                                      BackendPrefix{"cu", Backend::cuda, true},
                                      BackendPrefix{"metal", Backend::metal, false},
                                      BackendPrefix{"neuron", Backend::neuron, false},
                                      BackendPrefix{"rocm", Backend::rocm, true},
                                      BackendPrefix{"tpu", Backend::tpu, false},
                                      BackendPrefix{"xpu", Backend::xpu, true}};

std::optional<std::uint32_t> number(std::string_view digits) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size())
        return std::nullopt;
    return value;
}

/// Digits without dots, `major_digits` of them the major.
std::optional<Version> split_digits(std::string_view digits, std::size_t major_digits) {
    if (digits.size() <= major_digits || major_digits == 0)
        return std::nullopt;
    const auto major = number(digits.substr(0, major_digits));
    const auto minor = number(digits.substr(major_digits));
    if (!major || !minor)
        return std::nullopt;
    return Version({*major, *minor});
}

bool parse_compute(std::string_view text, Variant& variant) {
    for (const auto& [prefix, backend, versioned] : kComputeNames) {
        if (!text.starts_with(prefix))
            continue;
        const auto digits = text.substr(prefix.size());
        if (!versioned && !digits.empty())
            continue;
        variant.backend = backend;
        if (!versioned)
            return true;
        const auto version =
            digits.empty() ? std::nullopt : split_digits(digits, digits.size() - 1);
        if (version)
            variant.backend_version = *version;
        return version.has_value();
    }
    return false;
}

std::string compute_name(const Variant& variant) {
    const auto* const name =
        std::find_if(kComputeNames.begin(), kComputeNames.end(), [&](const BackendPrefix& entry) {
            return entry.backend == variant.backend;
        });
    return std::string(name->prefix) + (name->versioned ? variant.backend_version.compact() : "");
}

std::string framework_name(const Variant& variant) {
    switch (variant.framework) {
    case Variant::Framework::torch:
        return "torch" + variant.framework_version.compact();
    case Variant::Framework::torch_stable_abi:
        return "torch-stable-abi" + variant.framework_version.compact();
    case Variant::Framework::tvm_ffi:
        return "tvm-ffi" + variant.framework_version.compact();
    case Variant::Framework::noarch:
        return "torch-" + variant.noarch_name;
    }
    return "";
}

bool is_noarch_name(std::string_view name) {
    return name == "universal" || name == "npu" || parse_backend(name).has_value();
}

std::optional<Variant> parse_noarch(std::string_view rest) {
    if (!is_noarch_name(rest))
        return std::nullopt;
    Variant variant;
    variant.framework = Variant::Framework::noarch;
    variant.noarch_name = rest;
    variant.backend = parse_backend(rest).value_or(Backend::cpu);
    return variant;
}

} // namespace

std::optional<Variant> Variant::parse(std::string_view name) {
    constexpr std::array kFrameworks = {
        std::pair{std::string_view("torch-stable-abi"), Framework::torch_stable_abi},
        std::pair{std::string_view("tvm-ffi"), Framework::tvm_ffi},
        std::pair{std::string_view("torch"), Framework::torch}};
    if (name.starts_with("torch-") && is_noarch_name(name.substr(6)))
        return parse_noarch(name.substr(6));
    Variant variant;
    const auto* const framework =
        std::find_if(kFrameworks.begin(), kFrameworks.end(), [&](const auto& entry) {
            return name.starts_with(entry.first);
        });
    if (framework == kFrameworks.end())
        return std::nullopt;
    variant.framework = framework->second;
    auto parts = support::split(name.substr(framework->first.size()), '-');
    const auto version = split_digits(parts[0], 1);
    if (!version)
        return std::nullopt;
    variant.framework_version = *version;
    if (parts.size() > 1 && (parts[1] == "cxx11" || parts[1] == "cxx98")) {
        if (variant.framework != Framework::torch)
            return std::nullopt;
        variant.cxx_abi = parts[1];
        parts.erase(parts.begin() + 1);
    }
    if (parts.size() != 4 || !parse_compute(parts[1], variant))
        return std::nullopt;
    variant.cpu = parts[2];
    variant.os = parts[3];
    const bool known = (variant.cpu == "x86_64" || variant.cpu == "aarch64") &&
                       (variant.os == "linux" || variant.os == "darwin" || variant.os == "windows");
    return known ? std::optional(variant) : std::nullopt;
}

std::string Variant::name() const {
    if (framework == Framework::noarch)
        return framework_name(*this);
    const std::string abi = cxx_abi ? "-" + *cxx_abi : "";
    return fmt::format("{}{}-{}-{}-{}", framework_name(*this), abi, compute_name(*this), cpu, os);
}

std::string_view host_cpu() {
#if defined(__aarch64__)
    return "aarch64";
#else
    return "x86_64";
#endif
}

} // namespace kbuild::model
