#include "kbuild/model/sdk.hpp"

namespace kbuild::model {

std::string_view to_string(Origin origin) {
    switch (origin) {
    case Origin::release:
        return "release";
    case Origin::rebuild:
        return "rebuild";
    case Origin::mix:
        return "mix";
    }
    return "";
}

std::string_view to_string(TorchBuild build) {
    switch (build) {
    case TorchBuild::cpu:
        return "CPU";
    case TorchBuild::cuda:
        return "CUDA";
    case TorchBuild::rocm:
        return "ROCm";
    }
    return "";
}

} // namespace kbuild::model
