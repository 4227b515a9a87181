#include "torch_place.hpp"

#include "python.hpp"

#include "kbuild/process/runner.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/find.hpp"
#include "kbuild/toolchain/tool_environment.hpp"

#include <fmt/format.h>

#include <optional>

namespace kbuild::toolchain {
namespace {

using support::ErrorKind;
using support::Result;
namespace fs = std::filesystem;

tl::unexpected<support::Error> no_torch(const fs::path& path, const std::string& why) {
    return support::fail(
        ErrorKind::toolchain,
        fmt::format("there is no torch at `{}`: {}", path.string(), why),
        "name a torch wheel (`….whl`), a libtorch folder, a Python environment with torch, or its "
        "interpreter");
}

/// A folder with `include` and `lib`, checked to be whole.
Result<TorchPlace> folder_place(TorchPlace::Kind kind, const fs::path& folder) {
    for (const auto* const needed : {"include/torch/library.h", "lib/libtorch_cpu.so"})
        if (!support::path_exists(folder / needed))
            return no_torch(folder, fmt::format("it lacks `{}`", needed));
    KB_TRY_ASSIGN(version, read_torch_version(folder));
    return TorchPlace{kind, folder, std::move(version)};
}

Result<TorchPlace> wheel_place(const fs::path& path) {
    auto text = run_script_ok("torch_version.py", {path.string()});
    if (!text)
        return no_torch(path,
                        fmt::format("it cannot be read as a wheel of torch ({})",
                                    support::trim(text.error().message)));
    KB_TRY_ASSIGN(version, parse_version_file(*text));
    return TorchPlace{TorchPlace::Kind::wheel, path, std::move(version)};
}

/// Asks an interpreter where its torch is; torch itself is not imported.
Result<TorchPlace> ask_python(const fs::path& interpreter) {
    constexpr const char* kScript = "import importlib.util\n"
                                    "spec = importlib.util.find_spec('torch')\n"
                                    "print(spec.submodule_search_locations[0] if spec else '')\n";
    KB_TRY_ASSIGN(output, process::run({interpreter, {"-c", kScript}, {}, fetch_environment()}));
    const fs::path folder(std::string(support::trim(output.out)));
    if (!output.status.ok())
        return no_torch(interpreter,
                        fmt::format("it does not run as a Python ({}): {}",
                                    output.status.describe(),
                                    support::trim(output.err)));
    if (folder.empty())
        return no_torch(
            interpreter,
            fmt::format("this Python has none (`{} -m pip install torch`)", interpreter.string()));
    return folder_place(TorchPlace::Kind::python, folder);
}

/// An environment has its own torch, or borrows that of the Python it was made from.
Result<TorchPlace> environment_place(const fs::path& environment) {
    for (const auto& site : site_packages(environment))
        if (support::is_folder(site / "torch"))
            return torch_in_site(site);
    for (const auto* const name : {"bin/python3", "bin/python"})
        if (support::path_exists(environment / name))
            return ask_python(environment / name);
    return no_torch(environment, "it is no wheel, no libtorch folder and no Python environment");
}

Result<TorchPlace> interpreter_place(const fs::path& interpreter) {
    const auto environment = interpreter.parent_path().parent_path();
    if (interpreter.parent_path().filename() == "bin" &&
        support::is_file(environment / "pyvenv.cfg"))
        return environment_place(environment);
    return ask_python(interpreter);
}

} // namespace

std::string_view to_string(TorchPlace::Kind kind) {
    switch (kind) {
    case TorchPlace::Kind::python:
        return "python";
    case TorchPlace::Kind::libtorch:
        return "libtorch";
    case TorchPlace::Kind::wheel:
        return "wheel";
    }
    return "";
}

Result<TorchPlace> torch_in_site(const fs::path& site) {
    return folder_place(TorchPlace::Kind::python, site / "torch");
}

Result<TorchPlace> find_torch_place(const fs::path& given) {
    std::error_code code;
    const auto path = fs::absolute(given, code).lexically_normal();
    if (path.filename().string().ends_with(".whl"))
        return support::is_file(path) ? wheel_place(path) : no_torch(path, "there is no such file");
    if (support::is_file(path))
        return interpreter_place(path);
    if (!support::is_folder(path))
        return no_torch(path, "there is no such file or folder");
    if (support::is_file(path / "version.py"))
        return folder_place(TorchPlace::Kind::python, path);
    if (support::is_file(path / "torch/version.py"))
        return torch_in_site(path);
    if (support::is_file(path / "build-version"))
        return folder_place(TorchPlace::Kind::libtorch, path);
    return environment_place(path);
}

std::string state_of_place(const TorchPlace& place) {
    support::Fingerprint print;
    print.add("path", place.path.string()).add("version", place.version.full);
    for (const auto* const name : {"",
                                   "version.py",
                                   "build-version",
                                   "include",
                                   "lib/libc10.so",
                                   "lib/libtorch_cpu.so",
                                   "lib/libtorch_hip.so",
                                   "lib/libtorch_cuda.so"}) {
        std::error_code code;
        const auto file = *name == '\0' ? place.path : place.path / name;
        const auto time = fs::last_write_time(file, code);
        print.add("size", std::to_string(support::size_of_file(file)))
            .add("time", code ? std::string() : std::to_string(time.time_since_epoch().count()));
    }
    return print.hex();
}

} // namespace kbuild::toolchain
