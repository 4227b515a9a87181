#include "kbuild/testbed/device_libraries.hpp"

#include "nvidia_names.hpp"
#include "rocm_names.hpp"

#include "kbuild/elf/elf_file.hpp"
#include "kbuild/process/runner.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/temp_dir.hpp"
#include "kbuild/toolchain/stub_library.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::testbed {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

/// Links shared libraries out of small sources, in a scratch folder.
class Linker {
  public:
    Linker(std::string compiler, const fs::path& scratch, const fs::path& output)
        : compiler_(std::move(compiler)), scratch_(scratch), output_(output) {}

    Result<void> link(const std::string& soname,
                      const std::vector<fs::path>& sources,
                      const std::vector<std::string>& more) const {
        std::vector<std::string> arguments{"-shared",
                                           "-fPIC",
                                           "-O1",
                                           "-w",
                                           "-fno-builtin",
                                           "-Wl,-soname," + soname,
                                           "-Wl,--no-as-needed",
                                           "-Wl,--allow-shlib-undefined",
                                           "-o",
                                           (output_ / soname).string()};
        for (const auto& source : sources)
            arguments.push_back(source.string());
        arguments.insert(arguments.end(), more.begin(), more.end());
        KB_TRY(process::run_ok({compiler_, arguments, {}, process::clean_environment()},
                               ErrorKind::toolchain));
        return {};
    }

    Result<fs::path> source(const std::string& name, const std::string& text) const {
        const auto path = scratch_ / name;
        KB_TRY(support::write_file_atomically(path, text));
        return path;
    }

  private:
    std::string compiler_;
    fs::path scratch_;
    fs::path output_;
};

/// torch's own libraries: all that may ask NVIDIA's for something.
Result<std::vector<elf::ElfFile>> read_torch_libraries(const fs::path& folder) {
    KB_TRY_ASSIGN(names, support::list_names(folder));
    std::vector<elf::ElfFile> files;
    for (const auto& name : names) {
        if (name.find(".so") == std::string::npos ||
            !(name.starts_with("libtorch") || name.starts_with("libc10") ||
              name.starts_with("libcaffe2")))
            continue;
        KB_TRY_ASSIGN(file, elf::read_elf(folder / name));
        files.push_back(std::move(file));
    }
    return files;
}

Result<std::set<std::string>> exports_of(const fs::path& library) {
    KB_TRY_ASSIGN(file, elf::read_elf(library));
    std::set<std::string> names;
    for (const auto& symbol : file.symbols)
        if (symbol.defined)
            names.insert(symbol.name);
    return names;
}

Result<void> make_nvidia_library(const Linker& linker,
                                 const NvidiaLibrary& library,
                                 const fs::path& cuda_library) {
    KB_TRY_ASSIGN(source, linker.source(library.soname + ".c", failing_source(library)));
    std::vector<std::string> more{"-L" + cuda_library.parent_path().string(),
                                  "-l:" + cuda_library.filename().string()};
    if (const auto script = version_script(library); !script.empty()) {
        KB_TRY_ASSIGN(path, linker.source(library.soname + ".map", script));
        more.insert(more.end(), {"-Xlinker", "--version-script", "-Xlinker", path.string()});
    }
    return linker.link(library.soname, {source}, more);
}

Result<void> make_rocm_library(const Linker& linker,
                               const fs::path& torch_lib,
                               const std::string& stem,
                               const std::string& more_source) {
    const auto cuda_name = fmt::format("lib{}_cuda.so", stem);
    KB_TRY_ASSIGN(cuda, elf::read_elf(torch_lib / cuda_name));
    KB_TRY_ASSIGN(assembly, linker.source(stem + ".s", hip_name_trampolines(cuda)));
    std::vector<fs::path> sources{assembly};
    if (!more_source.empty()) {
        KB_TRY_ASSIGN(source, linker.source(stem + ".c", more_source));
        sources.push_back(source);
    }
    return linker.link(
        fmt::format("lib{}_hip.so", stem), sources, {"-L" + torch_lib.string(), "-l:" + cuda_name});
}

} // namespace

Result<void> make_device_libraries(const fs::path& torch_lib,
                                   const fs::path& cuda_library,
                                   const fs::path& output) {
    KB_TRY_ASSIGN(compiler, toolchain::host_c_compiler());
    KB_TRY(support::make_folder(output));
    KB_TRY_ASSIGN(scratch, support::TempDir::create(output, ".source-"));
    const Linker linker(compiler, scratch.path(), output);
    KB_TRY_ASSIGN(users, read_torch_libraries(torch_lib));
    KB_TRY_ASSIGN(have, exports_of(cuda_library));
    for (const auto& library : nvidia_libraries(users, have))
        KB_TRY(make_nvidia_library(linker, library, cuda_library));
    KB_TRY(make_rocm_library(linker, torch_lib, "c10", ""));
    return make_rocm_library(linker, torch_lib, "torch", device_properties_source());
}

} // namespace kbuild::testbed
