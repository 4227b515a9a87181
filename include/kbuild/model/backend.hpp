#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace kbuild::model {

/// The backends that build.toml knows; kbuild builds `rocm` and `cpu`.
enum class Backend { cann, cpu, cuda, metal, neuron, rocm, tpu, xpu };

inline constexpr std::array kBackends = {Backend::cann,
                                         Backend::cpu,
                                         Backend::cuda,
                                         Backend::metal,
                                         Backend::neuron,
                                         Backend::rocm,
                                         Backend::tpu,
                                         Backend::xpu};

std::string_view to_string(Backend backend);
std::optional<Backend> parse_backend(std::string_view name); ///< exact, lower case

} // namespace kbuild::model
