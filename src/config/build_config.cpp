#include "kbuild/config/build_config.hpp"

#include <algorithm>

namespace kbuild::config {
namespace {

std::vector<std::string> texts(const Strings& strings) {
    std::vector<std::string> result;
    for (const auto& text : strings)
        result.push_back(text.value);
    return result;
}

} // namespace

std::vector<const KernelComponent*> BuildConfig::kernels_of(model::Backend backend) const {
    std::vector<const KernelComponent*> result;
    for (const auto& kernel : kernels)
        if (kernel.backend == backend)
            result.push_back(&kernel);
    return result;
}

bool BuildConfig::has_backend(model::Backend backend) const {
    return std::any_of(general.backends.begin(), general.backends.end(), [backend](const auto& b) {
        return b.value == backend;
    });
}

std::vector<std::string> BuildConfig::data_extensions() const {
    auto extensions = texts(framework.pyext.value_or(Strings()));
    std::erase_if(extensions, [](const std::string& e) { return e == "py" || e == "pyi"; });
    return extensions;
}

std::vector<std::string> BuildConfig::python_depends(model::Backend backend) const {
    auto result = texts(general.python_depends);
    if (const auto options = general.backend_options.find(backend);
        options != general.backend_options.end())
        for (const auto& name : options->second.python_depends)
            result.push_back(name.value);
    return result;
}

std::vector<KernelDependency> BuildConfig::kernel_depends(model::Backend backend) const {
    auto result = general.kernel_depends;
    if (const auto options = general.backend_options.find(backend);
        options != general.backend_options.end())
        result.insert(result.end(),
                      options->second.kernel_depends.begin(),
                      options->second.kernel_depends.end());
    return result;
}

} // namespace kbuild::config
