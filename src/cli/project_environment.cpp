#include "project_environment.hpp"

#include "kbuild/build/work_folder.hpp"
#include "kbuild/process/runner.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"

#include <fmt/format.h>

namespace kbuild::cli {

namespace fs = std::filesystem;

void prepend_path(Variables& variables, const std::string& name, const fs::path& folder) {
    const auto found = variables.find(name);
    const auto rest =
        found != variables.end() ? found->second : support::environment(name).value_or("");
    variables[name] = folder.string() + (rest.empty() ? "" : ":" + rest);
}

Variables project_environment(const Project& project, const model::RocmSdk* rocm) {
    Variables variables;
    if (const auto& id = project.config.general.hub.repo_id)
        variables["LOCAL_KERNELS"] = fmt::format("{}={}", *id, (project.root / "build").string());
    if (rocm == nullptr)
        return variables;
    variables["ROCM_PATH"] = rocm->root.string();
    variables["HIP_PATH"] = rocm->root.string();
    variables["HIP_PLATFORM"] = "amd";
    // hipcc looks for clang where AMD's release has it, which a distribution's rebuild has not.
    variables["HIP_CLANG_PATH"] = rocm->clang.parent_path().string();
    prepend_path(variables, "CMAKE_PREFIX_PATH", rocm->root);
    prepend_path(variables, "PATH", rocm->clang.parent_path());
    prepend_path(variables, "PATH", rocm->root / "bin");
    return variables;
}

support::Result<void>
add_python_environment(const Project& project, const std::string& python, Variables& variables) {
    const auto folder = build::work_folder(project.root);
    KB_TRY(build::mark_as_ours(folder));
    const auto place = folder.root / "venv";
    if (!support::is_file(place / "pyvenv.cfg"))
        KB_TRY(process::run_ok({python,
                                {"-m", "venv", "--system-site-packages", place.string()},
                                {},
                                process::clean_environment()},
                               support::ErrorKind::toolchain));
    variables["VIRTUAL_ENV"] = place.string();
    prepend_path(variables, "PATH", place / "bin");
    return {};
}

} // namespace kbuild::cli
