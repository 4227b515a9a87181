#include "kbuild/model/backend.hpp"

namespace kbuild::model {

std::string_view to_string(Backend backend) {
    switch (backend) {
    case Backend::cann:
        return "cann";
    case Backend::cpu:
        return "cpu";
    case Backend::cuda:
        return "cuda";
    case Backend::metal:
        return "metal";
    case Backend::neuron:
        return "neuron";
    case Backend::rocm:
        return "rocm";
    case Backend::tpu:
        return "tpu";
    case Backend::xpu:
        return "xpu";
    }
    return "";
}

std::optional<Backend> parse_backend(std::string_view name) {
    for (const auto backend : kBackends)
        if (to_string(backend) == name)
            return backend;
    return std::nullopt;
}

} // namespace kbuild::model
