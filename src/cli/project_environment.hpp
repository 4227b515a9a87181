#pragma once

#include "project.hpp"

#include "kbuild/model/sdk.hpp"
#include "kbuild/support/result.hpp"

#include <map>
#include <optional>
#include <string>

namespace kbuild::cli {

using Variables = std::map<std::string, std::string>;

/// What `kbuild shell` and `kbuild test` set: LOCAL_KERNELS, so that the `kernels` package takes
/// the built variants (if build.toml has a `repo-id`), and for a ROCm its programs on PATH,
/// ROCM_PATH, HIP_PATH, HIP_PLATFORM and CMAKE_PREFIX_PATH.
Variables project_environment(const Project& project, const model::RocmSdk* rocm);

/// Puts `folder` before what the variable holds already, here or around kbuild.
void prepend_path(Variables& variables,
                  const std::string& name,
                  const std::filesystem::path& folder);

/// Adds the Python environment `.kbuild/venv`, which is made if it is not there, by `python`.
support::Result<void>
add_python_environment(const Project& project, const std::string& python, Variables& variables);

} // namespace kbuild::cli
