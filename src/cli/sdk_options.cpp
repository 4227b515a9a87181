#include "sdk_options.hpp"

#include "kbuild/support/environment.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/local_torch.hpp"
#include "kbuild/toolchain/store.hpp"

#include <fmt/format.h>

namespace kbuild::cli {
namespace {

using support::ErrorKind;
using support::Result;

bool is_path(const std::string& text) {
    return support::contains(text, "/");
}

Result<model::Version> parse_version(std::string_view option, const std::string& text) {
    if (const auto version = model::Version::parse(text))
        return *version;
    return support::fail(ErrorKind::usage,
                         fmt::format("`{} {}` is not a version", option, text),
                         fmt::format("write it as `{} 2.13`", option));
}

Result<model::Backend> parse_backend(const std::string& text) {
    if (const auto backend = model::parse_backend(support::to_lower(text)))
        return *backend;
    std::vector<std::string> names;
    for (const auto backend : model::kBackends)
        names.emplace_back(to_string(backend));
    const auto nearest = support::closest(text, names);
    return support::fail(ErrorKind::usage,
                         fmt::format("`--backend {}` is not a backend", text),
                         nearest ? fmt::format("did you mean `{}`?", *nearest)
                                 : fmt::format("one of `{}`", support::join(names, "`, `")));
}

/// The versions of the ROCms at the given paths alone.
Result<std::vector<model::Version>> versions_at(const std::vector<std::string>& paths) {
    toolchain::FindOptions only_paths;
    only_paths.opt.clear();
    for (const auto& path : paths)
        only_paths.rocm_paths.emplace_back(path);
    KB_TRY_ASSIGN(found, toolchain::find_sdks(only_paths));
    std::vector<model::Version> versions;
    for (const auto& sdk : found.rocm)
        versions.push_back(sdk.short_version());
    return versions;
}

} // namespace

void SelectionOptions::declare(Options& app) {
    app.values(
        variants,
        {.names = "--variant", .help = "only these variants (names or globs)", .type = "NAME"});
    app.values(torch,
               {.names = "--torch",
                .help = "only these torch versions, or the wheel, libtorch or Python at a path",
                .type = "VERSION|PATH"});
    app.values(rocm,
               {.names = "--rocm",
                .help = "only these ROCm versions, or the SDK at a path",
                .type = "VERSION|PATH"});
    app.values(backends, {.names = "--backend", .help = "only these backends", .type = "BACKEND"});
    app.flag(require_all,
             {.names = "--require-all", .help = "a wanted pair without an SDK is an error"});
}

Result<toolchain::FindOptions> SelectionOptions::find_options(const Context* context) const {
    toolchain::FindOptions options;
    if (context != nullptr)
        options.on_progress = [context](const std::string& line) { context->say(line); };
    for (const auto& entry : torch)
        if (is_path(entry))
            options.torch_paths.emplace_back(entry);
    for (const auto& entry : rocm)
        if (is_path(entry))
            options.rocm_paths.emplace_back(entry);
    for (const auto* variable : {"ROCM_PATH", "HIP_PATH"})
        if (const auto path = support::environment(variable); path && !options.rocm_environment) {
            options.rocm_environment = *path;
            options.rocm_variable = variable;
        }
    if (support::environment("ROCM_PATH"))
        if (const auto hip = support::environment("HIP_PATH"))
            options.hip_environment = *hip;
    if (const auto opt = support::environment("KBUILD_OPT_DIR"))
        options.opt = *opt;
    options.usr = support::environment("KBUILD_USR_DIR").value_or("/usr");
    if (const auto venv = support::environment("VIRTUAL_ENV"))
        options.python_sites = toolchain::site_packages(*venv);
    options.store = toolchain::Store::at_default_place().root();
    return options;
}

Result<matrix::Filters> SelectionOptions::filters() const {
    matrix::Filters filters;
    filters.variants = variants;
    filters.require_all = require_all;
    std::vector<std::string> paths;
    for (const auto& entry : torch) {
        KB_TRY_ASSIGN(version,
                      is_path(entry) ? toolchain::local_torch_version(entry)
                                     : parse_version("--torch", entry));
        filters.torch.push_back(version);
    }
    for (const auto& entry : rocm) {
        if (is_path(entry)) {
            paths.push_back(entry);
            continue;
        }
        KB_TRY_ASSIGN(version, parse_version("--rocm", entry));
        filters.rocm.push_back(version);
    }
    if (!paths.empty()) {
        KB_TRY_ASSIGN(versions, versions_at(paths));
        filters.rocm.insert(filters.rocm.end(), versions.begin(), versions.end());
    }
    for (const auto& entry : backends) {
        KB_TRY_ASSIGN(backend, parse_backend(entry));
        filters.backends.push_back(backend);
    }
    return filters;
}

} // namespace kbuild::cli
