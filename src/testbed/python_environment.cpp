#include "kbuild/testbed/python_environment.hpp"

#include "kbuild/elf/elf_file.hpp"
#include "kbuild/process/runner.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/file_lock.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/support/temp_dir.hpp"
#include "kbuild/support/tree_swap.hpp"
#include "kbuild/testbed/device_libraries.hpp"
#include "kbuild/toolchain/tool_environment.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace kbuild::testbed {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

/// Counts changes of this recipe: environments that an older one made are not used.
constexpr int kRecipe = 1;
constexpr int kLibrariesRecipe = 1; ///< the same for device_libraries.cpp
constexpr char kManifest[] = "environment.json";
constexpr std::chrono::minutes kLockTimeout{60};
/// What every test needs.
constexpr std::array<std::string_view, 3> kPackages{"kernels", "numpy", "pytest"};

/// `2.13.0+cu130` -> `2.13.0`.
std::string public_version(const std::string& version) {
    return version.substr(0, version.find('+'));
}

/// What the environment depends on, readable; its hash names the folder.
nlohmann::json description(const EnvironmentRequest& request, const std::string& python_version) {
    return {{"recipe", kRecipe},
            {"torch", public_version(request.torch.full_version)},
            {"python", python_version},
            {"requirements", request.requirements}};
}

Result<std::string> version_of(const std::string& python) {
    KB_TRY_ASSIGN(output,
                  process::run_ok({python, {"--version"}, {}, toolchain::fetch_environment()},
                                  ErrorKind::toolchain));
    return std::string(support::trim(output.out + output.err));
}

class Maker {
  public:
    Maker(const EnvironmentRequest& request, fs::path root, const OnProgress& on_progress)
        : request_(request), root_(std::move(root)), on_progress_(on_progress) {}

    Result<void> make() const {
        KB_TRY(python({"-m", "venv", "--without-pip", (root_ / "venv").string()}));
        KB_TRY_ASSIGN(site, site_packages(root_));
        const auto torch = "torch==" + public_version(request_.torch.full_version);
        say(fmt::format("fetching {} (about 0.5 GB) with pip", torch));
        KB_TRY(pip(site, {"--no-deps", torch}));
        KB_TRY_ASSIGN(needed, torch_requirements(site));
        needed.insert(needed.end(), kPackages.begin(), kPackages.end());
        say("fetching kernels, numpy, pytest and what torch imports");
        KB_TRY(pip(site, needed));
        if (!request_.requirements.empty()) {
            auto list = request_.requirements;
            list.insert(list.begin(), "--no-deps"); // torch must not come in a second time
            KB_TRY(pip(site, list));
        }
        KB_TRY(support::write_file_atomically(site / "kbuild_device.pth", kStartup));
        return support::make_folder(root_ / "lib");
    }

    static Result<fs::path> site_packages(const fs::path& root) {
        const auto lib = root / "venv/lib";
        KB_TRY_ASSIGN(names, support::list_names(lib));
        for (const auto& name : names)
            if (name.starts_with("python") && support::is_folder(lib / name / "site-packages"))
                return lib / name / "site-packages";
        return support::fail(
            ErrorKind::toolchain,
            fmt::format("the Python environment `{}` has no site-packages", root.string()));
    }

  private:
    /// Python runs this when it starts; without the variable the environment is an ordinary one.
    static constexpr char kStartup[] =
        "import os; os.environ.get('KBUILD_DEVICE_ROCM') and __import__('kbuild_device.startup')\n";

    void say(const std::string& text) const {
        if (on_progress_)
            on_progress_(text);
    }

    Result<void> python(const std::vector<std::string>& arguments) const {
        KB_TRY(process::run_ok({request_.python, arguments, {}, toolchain::fetch_environment()},
                               ErrorKind::toolchain));
        return {};
    }

    Result<void> pip(const fs::path& site, const std::vector<std::string>& requirements) const {
        std::vector<std::string> arguments{"-m",
                                           "pip",
                                           "install",
                                           "--quiet",
                                           "--only-binary=:all:",
                                           "--no-compile",
                                           "--disable-pip-version-check",
                                           "--no-input",
                                           "--target",
                                           site.string()};
        arguments.insert(arguments.end(), requirements.begin(), requirements.end());
        process::RunOptions options;
        options.merge_stderr = true;
        KB_TRY_ASSIGN(output,
                      process::run({request_.python, arguments, {}, toolchain::fetch_environment()},
                                   options));
        if (support::contains(output.out, "No module named pip"))
            return support::fail(ErrorKind::toolchain,
                                 fmt::format("`{}` has no pip", request_.python),
                                 "apt-get install python3-pip");
        if (!output.status.ok())
            return support::fail(ErrorKind::network,
                                 fmt::format("pip cannot install {} ({}): {}",
                                             support::join(requirements, " "),
                                             output.status.describe(),
                                             support::trim(output.out)));
        return {};
    }

    Result<std::vector<std::string>> torch_requirements(const fs::path& site) const {
        KB_TRY_ASSIGN(names, support::list_names(site));
        for (const auto& name : names)
            if (name.starts_with("torch-") && name.ends_with(".dist-info")) {
                KB_TRY_ASSIGN(metadata, support::read_file(site / name / "METADATA"));
                return plain_requirements(metadata);
            }
        return support::fail(ErrorKind::toolchain, "pip installed a torch without METADATA");
    }

    const EnvironmentRequest& request_;
    fs::path root_;
    const OnProgress& on_progress_;
};

/// What the device's libraries are made for: the names that kbuild's own part has. They may change
/// with kbuild; they are the same for every ROCm.
Result<std::string> stamp_of(const fs::path& cuda_library) {
    KB_TRY_ASSIGN(file, elf::read_elf(cuda_library));
    support::Fingerprint names;
    names.add("recipe", fmt::to_string(kLibrariesRecipe));
    for (const auto& symbol : file.symbols)
        if (symbol.defined)
            names.add("name", symbol.name);
    return names.hex();
}

Result<void> need_libraries(const EnvironmentRequest& request,
                            const PythonEnvironment& environment) {
    KB_TRY_ASSIGN(stamp, stamp_of(request.cuda_library));
    const auto mark = environment.libraries / "made-for";
    if (support::read_file(mark).value_or("") == stamp)
        return {};
    KB_TRY_ASSIGN(site, Maker::site_packages(environment.root));
    KB_TRY_ASSIGN(staging, support::TempDir::create(environment.root, ".lib-"));
    KB_TRY(make_device_libraries(site / "torch/lib", request.cuda_library, staging.path()));
    KB_TRY(support::write_file_atomically(staging.path() / "made-for", stamp));
    return support::publish_folder(staging.path(), environment.libraries);
}

} // namespace

std::vector<std::string> plain_requirements(const std::string& metadata) {
    std::vector<std::string> requirements;
    for (const auto& line : support::split(metadata, '\n')) {
        constexpr std::string_view kKey = "Requires-Dist: ";
        if (!line.starts_with(kKey) || support::contains(line, "extra ==") ||
            support::contains(line, "extra=="))
            continue;
        const auto requirement = std::string(support::trim(line.substr(kKey.size())));
        const bool is_for_nvidia = requirement.starts_with("nvidia-") ||
                                   requirement.starts_with("cuda-") ||
                                   requirement.starts_with("triton");
        if (!is_for_nvidia)
            requirements.push_back(requirement);
    }
    return requirements;
}

Result<PythonEnvironment> need_environment(const EnvironmentRequest& request,
                                           const OnProgress& on_progress) {
    KB_TRY_ASSIGN(python_version, version_of(request.python));
    const auto text = description(request, python_version).dump(2) + "\n";
    const auto root =
        request.store / fmt::format("torch-{}-{}",
                                    public_version(request.torch.full_version),
                                    support::to_hex(support::sha256(text)).substr(0, 8));
    const PythonEnvironment environment{root, root / "venv/bin/python3", root / "lib"};
    KB_TRY(support::make_folder(request.store));
    // One lock for each environment: what is there can be used while another one is being made.
    KB_TRY_ASSIGN(
        lock,
        support::FileLock::acquire(
            fmt::format("{}.lock", root.string()), kLockTimeout, [&](const std::string& holder) {
                if (on_progress)
                    on_progress(fmt::format("waiting for {}, which makes it", holder));
            }));
    if (!support::is_file(root / kManifest)) {
        KB_TRY_ASSIGN(staging, support::TempDir::create(request.store, ".tmp-"));
        KB_TRY(Maker(request, staging.path(), on_progress).make());
        KB_TRY(support::write_file_atomically(staging.path() / kManifest, text));
        KB_TRY(support::publish_folder(staging.path(), root));
    }
    KB_TRY(need_libraries(request, environment));
    return environment;
}

} // namespace kbuild::testbed
