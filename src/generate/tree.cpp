#include "kbuild/generate/tree.hpp"

#include "kbuild/generate/cmake_writer.hpp"
#include "kbuild/support/embedded.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

namespace kbuild::generate {
namespace {

std::string template_text(std::string_view name) {
    return std::string(support::embedded::find(support::embedded::templates(), name));
}

template <typename T> std::vector<std::string> names(const std::vector<T>& values) {
    std::vector<std::string> result;
    for (const auto& value : values)
        result.push_back(value.name);
    return result;
}

void write_sources(CMakeWriter& out, const Library& library) {
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < library.sources.size(); ++i) {
        const auto& source = library.sources[i];
        const auto prefix = fmt::format("KBUILD_{}_SOURCE_{}", library.name, i);
        paths.push_back(source.path);
        out.set_list(prefix + "_OPTIONS", source.options);
    }
    out.set_list(fmt::format("KBUILD_{}_SOURCES", library.name), paths);
}

void write_library(CMakeWriter& out, const Library& library) {
    const auto prefix = "KBUILD_" + library.name;
    write_sources(out, library);
    out.set_list(prefix + "_DEFINITIONS", library.definitions);
    out.set_list(prefix + "_INCLUDES", library.includes);
    out.set_list(prefix + "_SYSTEM_INCLUDES", library.system_includes);
    out.set_list(prefix + "_OPTIONS", library.options);
}

void write_module(CMakeWriter& out, const Module& module) {
    const auto prefix = "KBUILD_" + module.name;
    out.set(prefix + "_OUTPUT_NAME", module.output_name);
    out.set_list(prefix + "_LIBRARIES", module.libraries);
    out.set_list(prefix + "_ARCHIVES", module.archives);
    out.set_list(prefix + "_LINK_FILES", module.link_files);
    out.set_list(prefix + "_LINK_OPTIONS", module.link_options);
}

void write_hip(CMakeWriter& out, const HipToolchain& hip) {
    out.set("CMAKE_HIP_COMPILER", hip.clang);
    out.set("CMAKE_HIP_COMPILER_ROCM_ROOT", hip.rocm_root);
    out.set("CMAKE_HIP_ARCHITECTURES", hip.first_arch);
    out.set("KBUILD_HIP_DRIVER", hip.driver.value_or(""));
    out.set_list("KBUILD_HIP_DRIVER_ENVIRONMENT", hip.driver_environment);
}

std::string data_file(const Tree& tree) {
    CMakeWriter out;
    out.comment(
        "Written by kbuild from build.toml and the SDKs; read by CMakeLists.txt beside it.");
    out.comment("Toolchain " + tree.fingerprint);
    out.set("KBUILD_TREE", tree.name);
    out.set("CMAKE_CXX_COMPILER", tree.cxx);
    out.set_list("KBUILD_LANGUAGES",
                 tree.hip ? std::vector<std::string>{"CXX", "HIP"}
                          : std::vector<std::string>{"CXX"});
    if (tree.hip)
        write_hip(out, *tree.hip);
    out.set_list("KBUILD_LIBRARIES", names(tree.libraries));
    for (const auto& library : tree.libraries)
        write_library(out, library);
    out.set_list("KBUILD_MODULES", names(tree.modules));
    for (const auto& module : tree.modules)
        write_module(out, module);
    return out.text();
}

/// A path as Ninja reads it.
std::string ninja_path(std::string path) {
    for (const auto* special : {"$", " ", ":"})
        path = support::replace_all(path, special, std::string("$") + special);
    return path;
}

} // namespace

model::FileSet tree_files(const Tree& tree) {
    return {{"CMakeLists.txt", template_text("cmake/CMakeLists.txt")},
            {"data.cmake", data_file(tree)},
            {"kbuild.cmake", template_text("cmake/kbuild.cmake")}};
}

std::string supervisor_ninja(const std::vector<Tree>& trees, const std::filesystem::path& work) {
    std::string text = "# Written by kbuild: one Ninja schedules all trees under one job budget.\n"
                       "ninja_required_version = 1.10\n";
    for (const auto& tree : trees)
        text += fmt::format("subninja {}/build.ninja\n", tree.name);
    for (const auto& tree : trees)
        if (tree.hip)
            for (const auto& library : tree.libraries) {
                const auto archive = fmt::format("{}/lib{}.a", tree.name, library.name);
                text += fmt::format("build {}: phony {}\n",
                                    ninja_path((work / archive).string()),
                                    ninja_path(archive));
            }
    return text;
}

std::string registration_header() {
    return template_text("include/registration.h");
}

} // namespace kbuild::generate
