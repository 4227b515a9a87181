#include "device_passes.hpp"

#include "ninja_text.hpp"

#include "kbuild/generate/cmake_writer.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

namespace kbuild::generate {
namespace {

using Words = std::vector<std::string>;

void add(Words& to, const Words& from) {
    to.insert(to.end(), from.begin(), from.end());
}

/// Scripts lie beside CMakeLists.txt; Ninja runs in the folder of all build folders.
std::string script_of(const std::string& tree, std::string_view script) {
    return fmt::format("../trees/{}/{}", tree, script);
}

/// Without the project's path, which may hold anything; the number tells sources of one name apart.
std::string stem_in_tree(const Library& library, std::size_t source) {
    auto name = std::filesystem::path(library.sources[source].path).filename().string();
    for (auto& c : name)
        if (!support::is_plain_word(std::string_view(&c, 1)) || c == ':')
            c = '_';
    return fmt::format("device/{}/{}-{}", library.name, source, name);
}

std::string
code_object(const Tree& tree, const Library& library, std::size_t source, const std::string& arch) {
    return fmt::format("{}/{}.{}.co",
                       tree.name,
                       stem_in_tree(library, source),
                       support::replace_all(arch, ":", "_"));
}

std::string bundle(const Tree& tree, const Library& library, std::size_t source) {
    return tree.name + "/" + bundle_in_tree(library, source);
}

/// Runs the compiler for a pass; `before` stands before the cache. hipcc and amdclang++ want their
/// environment, a cache the compiler behind the script. It reads the compiler's own dependencies,
/// since nothing can be preprocessed with a precompiled header of HIP.
Words pass_command(const Tree& tree, const Words& before) {
    const auto& hip = *tree.hip;
    Words words{"env"};
    if (hip.driver)
        add(words, hip.driver_environment);
    words.push_back("KBUILD_HIP_COMPILER=" + hip.driver.value_or(hip.clang));
    words.emplace_back("CCACHE_DEPEND=1");
    add(words, before);
    add(words, tree.launcher);
    words.push_back(script_of(tree.name, "hip-pass"));
    return words;
}

Words device_command(const Tree& tree) {
    auto words = pass_command(tree, {});
    words.emplace_back(kHipDefinition);
    words.insert(words.end(), kReleaseOptions.begin(), kReleaseOptions.end());
    return words;
}

std::string rules(const Tree& tree) {
    const auto& bundler = *tree.hip->bundler;
    Words join{bundler.program};
    add(join, bundler.options);
    return fmt::format(
        "rule device_pass_{0}\n"
        "  command = {1} $options -MD -MT $out -MF $out.d -o $out -x hip -c $source\n"
        "  description = Compiling device code $out\n"
        "  depfile = $out.d\n"
        "  deps = gcc\n"
        "rule bundle_{0}\n"
        "  command = {2} $options -output=$out\n"
        "  description = Bundling device code $out\n",
        tree.name,
        ninja_command(device_command(tree)),
        ninja_command(join));
}

/// The command line of a pass, with the options of its library.
std::string pass_options(const Library& library, const DevicePass& pass) {
    auto options = arguments_of(library);
    add(options, pass.options);
    return ninja_command(options);
}

std::string steps(const Tree& tree, const Library& library, std::size_t index) {
    const auto& source = library.sources[index];
    std::string text;
    Words inputs;
    std::string targets = "-targets=" + tree.hip->bundler->host_target;
    Words join{"-input=/dev/null"};
    for (const auto& pass : source.device_passes) {
        const auto output = code_object(tree, library, index, pass.arch);
        text += fmt::format("build {}: device_pass_{} {}\n  source = {}\n  options = {}\n",
                            output,
                            tree.name,
                            ninja_path(source.path),
                            ninja_command({source.path}),
                            pass_options(library, pass));
        inputs.push_back(output);
        join.push_back("-input=" + output);
        targets += ",hipv4-amdgcn-amd-amdhsa--" + pass.arch;
    }
    join.insert(join.begin(), targets);
    return text + fmt::format("build {}: bundle_{} {}\n  options = {}\n",
                              bundle(tree, library, index),
                              tree.name,
                              support::join(inputs, " "),
                              ninja_command(join));
}

} // namespace

std::string bundle_in_tree(const Library& library, std::size_t source) {
    return stem_in_tree(library, source) + ".hipfb";
}

Words host_pass_options(const Tree& tree, const Library& library, std::size_t source) {
    return {"--cuda-host-only",
            "-Xclang",
            "-fcuda-include-gpubinary",
            "-Xclang",
            bundle(tree, library, source)};
}

Words hip_command(const Tree& tree) {
    const auto& hip = *tree.hip;
    if (hip.bundler)
        return pass_command(tree, {script_of(tree.name, "embed-pass")});
    if (!hip.driver)
        return {};
    Words words{"env"};
    add(words, hip.driver_environment);
    add(words, tree.launcher);
    words.push_back(*hip.driver);
    return words;
}

std::string device_pass_steps(const Tree& tree) {
    if (!tree.hip || !tree.hip->bundler)
        return {};
    auto text = rules(tree);
    for (const auto& library : tree.libraries)
        for (std::size_t i = 0; i < library.sources.size(); ++i)
            if (!library.sources[i].device_passes.empty())
                text += steps(tree, library, i);
    return text;
}

} // namespace kbuild::generate
