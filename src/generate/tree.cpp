#include "kbuild/generate/tree.hpp"

#include "device_passes.hpp"
#include "ninja_text.hpp"

#include "kbuild/generate/cmake_writer.hpp"
#include "kbuild/support/embedded.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>

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

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

void write_library(CMakeWriter& out, const Tree& tree, const Library& library) {
    const auto prefix = "KBUILD_" + library.name;
    std::vector<std::string> sources;
    std::vector<std::string> flags;
    std::vector<std::string> bundles;
    for (std::size_t i = 0; i < library.sources.size(); ++i) {
        const auto& source = library.sources[i];
        const bool in_passes = !source.device_passes.empty();
        auto options = source.options;
        if (in_passes)
            append(options, host_pass_options(tree, library, i));
        sources.push_back(source.path);
        flags.push_back(ninja_flags(options));
        bundles.push_back(in_passes ? bundle_in_tree(library, i) : std::string());
    }
    out.set_items(prefix + "_SOURCE", sources);
    out.set_items(prefix + "_SOURCE_FLAGS", flags);
    out.set_items(prefix + "_SOURCE_BUNDLE", bundles);
    out.set(prefix + "_OPTIONS", option_entry(arguments_of(library)));
}

/// A module's archives by Ninja's names for them, from this tree's folder. LINK_DEPENDS is a list,
/// which cannot hold every path; these names are kbuild's own.
std::vector<std::string> archive_names(const Module& module) {
    std::vector<std::string> result;
    for (const std::filesystem::path archive : module.archives)
        result.push_back("../" + archive.parent_path().filename().string() + "/" +
                         archive.filename().string());
    return result;
}

void write_module(CMakeWriter& out, const Module& module) {
    const auto prefix = "KBUILD_" + module.name;
    out.set(prefix + "_OUTPUT_NAME", module.output_name);
    out.set_words(prefix + "_LIBRARIES", module.libraries);
    out.set_items(prefix + "_ARCHIVE", module.archives);
    out.set_words(prefix + "_LINK_DEPENDS", archive_names(module));
    out.set_items(prefix + "_LINK_FILE", module.link_files);
    out.set(prefix + "_LINK_OPTIONS", option_entry(module.link_options));
}

constexpr const char* kRelativeDependencies = "relative-dependencies";

/// The beginning of a command as a rule of CMake takes it.
std::string rule_text(const std::vector<std::string>& words) {
    return support::replace_all(ninja_flags(words), ";", "\\;");
}

void write_hip(CMakeWriter& out, const Tree& tree) {
    const auto& hip = *tree.hip;
    out.set("CMAKE_HIP_COMPILER", hip.clang);
    out.set("CMAKE_HIP_COMPILER_ROCM_ROOT", hip.rocm_root);
    out.set("CMAKE_HIP_ARCHITECTURES", hip.first_arch);
    out.set("KBUILD_HIP_COMMAND", rule_text(hip_command(tree)));
}

std::string data_file(const Tree& tree) {
    CMakeWriter out;
    out.comment(
        "Written by kbuild from build.toml and the SDKs; read by CMakeLists.txt beside it.");
    out.comment("Toolchain " + tree.fingerprint);
    out.set("KBUILD_TREE", tree.name);
    out.set("CMAKE_CXX_COMPILER", tree.cxx);
    out.set("KBUILD_LAUNCHER", rule_text(tree.launcher));
    out.set("KBUILD_LINK_LAUNCHER", tree.link_launcher);
    out.set_words("KBUILD_LANGUAGES",
                  tree.hip ? std::vector<std::string>{"CXX", "HIP"}
                           : std::vector<std::string>{"CXX"});
    if (tree.hip)
        write_hip(out, tree);
    out.set_words("KBUILD_LIBRARIES", names(tree.libraries));
    for (const auto& library : tree.libraries)
        write_library(out, tree, library);
    out.set_words("KBUILD_MODULES", names(tree.modules));
    for (const auto& module : tree.modules)
        write_module(out, module);
    return out.text();
}

} // namespace

std::vector<std::string> arguments_of(const Library& library) {
    std::vector<std::string> arguments;
    for (const auto& definition : library.definitions)
        arguments.push_back("-D" + definition);
    for (const auto& folder : library.includes)
        arguments.push_back("-I" + folder);
    for (const auto& folder : library.system_includes)
        append(arguments, {"-isystem", folder});
    append(arguments, library.options);
    return arguments;
}

model::FileSet tree_files(const Tree& tree) {
    model::FileSet files = {
        {"CMakeLists.txt", template_text("cmake/CMakeLists.txt")},
        {"data.cmake", data_file(tree)},
        {"kbuild.cmake", template_text("cmake/kbuild.cmake")},
        {"library/CMakeLists.txt", template_text("cmake/library/CMakeLists.txt")}};
    if (!tree.modules.empty())
        files.insert({"exports.map", template_text("cmake/exports.map")});
    const auto add_script = [&files](const std::string& name) {
        files.insert({name, template_text("cmake/" + name)});
    };
    if (tree.hip && tree.hip->bundler)
        for (const auto* const script : {"embed-pass", "hip-pass", kRelativeDependencies})
            add_script(script);
    if (std::any_of(tree.launcher.begin(), tree.launcher.end(), [](const std::string& word) {
            return word.ends_with(kRelativeDependencies);
        }))
        add_script(kRelativeDependencies);
    return files;
}

std::vector<std::string> relative_dependencies(const std::string& tree, const std::string& root) {
    return {"env",
            "CCACHE_BASEDIR=" + root,
            fmt::format("../trees/{}/{}", tree, kRelativeDependencies)};
}

std::string supervisor_ninja(const std::vector<Tree>& trees, const std::filesystem::path& work) {
    std::string text = "# Written by kbuild: one Ninja schedules all trees under one job budget.\n"
                       "ninja_required_version = 1.10\n";
    for (const auto& tree : trees)
        text += fmt::format("subninja {}/build.ninja\n", tree.name);
    for (const auto& tree : trees)
        text += device_pass_steps(tree);
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
