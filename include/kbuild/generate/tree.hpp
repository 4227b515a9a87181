#pragma once

#include "kbuild/model/file_set.hpp"

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::generate {

/// The half of a HIP unit that is compiled for one architecture.
struct DevicePass {
    std::string arch;                 ///< `gfx942`, `gfx90a:xnack-`
    std::vector<std::string> options; ///< behind those of the library
};

/// One source file of a library.
struct Source {
    std::string path; ///< absolute
    std::vector<std::string> options;
    /// Of a HIP unit that is compiled in passes, sorted by arch: `options` are then those of the
    /// host pass, which embeds what these make. Empty: one command does all.
    std::vector<DevicePass> device_passes;
};

/// The objects of one class of compile units; in a tree with HIP the archive `lib<name>.a` in the
/// tree's folder.
struct Library {
    std::string name; ///< unique over all trees
    std::vector<Source> sources;
    std::vector<std::string> definitions;
    std::vector<std::string> includes;
    std::vector<std::string> system_includes;
    std::vector<std::string> options; ///< for every source, before its own
};

/// A Python extension `<output_name>.so`, linked by the host compiler.
struct Module {
    std::string name;                    ///< target name, unique over all trees
    std::string output_name;             ///< `_gemm_rocm_1a2b3c4.abi3`
    std::vector<std::string> libraries;  ///< libraries of this tree, linked whole
    std::vector<std::string> archives;   ///< absolute paths of other trees' archives, linked whole
    std::vector<std::string> link_files; ///< libraries: absolute paths, `-lm`
    std::vector<std::string> link_options;
};

/// How the SDK's compiler driver joins device code before it is embedded.
struct Bundler {
    std::string program;
    std::vector<std::string> options; ///< `-type=o -bundle-align=4096`
    std::string host_target;          ///< `host-x86_64-unknown-linux-gnu`
    unsigned clang = 0;               ///< major version of the compiler; 0: not told
};

/// The HIP side of a tree: the SDK whose compiler compiles everything in it.
struct HipToolchain {
    std::string rocm_root;
    std::string clang;                 ///< CMAKE_HIP_COMPILER, and the C++ compiler of this tree
    std::optional<std::string> driver; ///< hipcc or amdclang++ if that compiles instead of `clang`
    std::vector<std::string> driver_environment; ///< `ROCM_PATH=…`
    std::string first_arch;                      ///< what CMake's compiler check compiles for
    std::optional<Bundler> bundler;              ///< where units are compiled in passes
};

/// One CMake project: everything that one compiler compiles (and, in the host tree, all links).
struct Tree {
    std::string name;                  ///< `host`, `rocm64`
    std::string fingerprint;           ///< of the toolchain: another one configures from scratch
    std::string cxx;                   ///< C++ compiler
    std::vector<std::string> launcher; ///< what runs the compilers (`ccache`); empty: nothing
    std::string link_launcher;         ///< what runs the links, a plain word; empty: nothing
    std::optional<HipToolchain> hip;
    std::vector<Library> libraries;
    std::vector<Module> modules;
};

/// What a compile of `library` has on its command line for every source, besides kReleaseOptions.
std::vector<std::string> arguments_of(const Library& library);

/// What the generated projects add to each compile.
inline constexpr std::array kReleaseOptions = {"-O3", "-DNDEBUG", "-fPIC"};
inline constexpr std::string_view kHipDefinition = "-D__HIP_ROCclr__=1";

/// The source files of a tree's CMake project, relative to its source folder: `CMakeLists.txt` and
/// `kbuild.cmake` as they are in templates/cmake (`exports.map` too where something is linked), and
/// `data.cmake` with the values of `tree`.
model::FileSet tree_files(const Tree& tree);

/// A launcher for a tree's compilers, before any other, that makes the names of the files of the
/// project `root` such as Ninja reads them.
std::vector<std::string> relative_dependencies(const std::string& tree, const std::string& root);

/// build.ninja over all trees, for the folder that holds one build folder per tree
/// (docs/decisions/0003). `work` is that folder, absolute: archives that cross trees are known to
/// Ninja by both of their names.
std::string supervisor_ninja(const std::vector<Tree>& trees, const std::filesystem::path& work);

/// registration.h (upstream.md 3.10), which bindings include.
std::string registration_header();

} // namespace kbuild::generate
