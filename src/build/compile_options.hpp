#pragma once

#include "units.hpp"

#include "kbuild/build/plan.hpp"

namespace kbuild::build {

/// Which options each class of compile units gets; the one place that knows compiler flags.
class CompileOptions {
  public:
    CompileOptions(const config::BuildConfig& config, const PlanInputs& inputs)
        : config_(config), inputs_(inputs) {}

    /// For the host compiler; `torch` null for units without torch headers.
    generate::Library host_library(const Component& component,
                                   const std::vector<const Unit*>& units,
                                   model::Backend backend,
                                   const model::TorchSdk* torch) const;

    /// For the ROCm SDK's compiler; `torch` null for units without torch headers.
    generate::Library device_library(const Component& component,
                                     const std::vector<const Unit*>& units,
                                     const model::RocmSdk& rocm,
                                     const model::TorchSdk* torch,
                                     const std::vector<model::GfxArch>& archs) const;

    generate::HipToolchain hip_toolchain(const model::RocmSdk& rocm) const;
    std::vector<std::string> link_files(const matrix::Selected& selected) const;
    std::vector<std::string> link_options() const;

  private:
    generate::Library common_library(const Component& component,
                                     const std::vector<const Unit*>& units,
                                     model::Backend backend,
                                     const model::TorchSdk* torch) const;
    std::optional<std::string> target_version(model::Backend backend) const;
    void add_torch(generate::Library& library,
                   model::Backend backend,
                   const model::TorchSdk& torch) const;

    const config::BuildConfig& config_;
    const PlanInputs& inputs_;
};

} // namespace kbuild::build
