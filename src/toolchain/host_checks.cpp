#include "python.hpp"

#include "kbuild/model/version.hpp"
#include "kbuild/process/runner.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/host.hpp"
#include "kbuild/toolchain/tool_environment.hpp"

#include <fmt/format.h>

#include <cctype>
#include <future>

namespace kbuild::toolchain {
namespace {

using State = Check::State;
namespace fs = std::filesystem;

/// A program that is looked for, and what its absence means.
struct Wanted {
    std::string name;
    std::vector<std::string> programs; ///< the first that is there counts
    std::string package;               ///< Debian's
    State missing = State::failure;
    std::string needed_for;
    std::string minimum; ///< version; empty: any
};

const std::vector<Wanted>& wanted_programs() {
    static const std::vector<Wanted> kWanted = {
        {"cmake", {"cmake"}, "cmake", State::failure, "builds", "3.25"},
        {"ninja", {"ninja", "ninja-build"}, "ninja-build", State::failure, "builds", {}},
        {"C++ compiler", {"clang++-19", "g++"}, "g++", State::failure, "builds", {}},
        {"C compiler", {"cc", "gcc", "clang-19"}, "gcc", State::failure, "stub libraries", {}},
        {"python3", {"python3"}, "python3", State::failure, "torch SDKs and tests", {}},
        {"apt-get", {"apt-get"}, "apt", State::warning, "fetching ROCm SDKs", {}},
        {"dpkg-deb", {"dpkg-deb"}, "dpkg", State::warning, "fetching ROCm SDKs", {}},
        {"patchelf", {"patchelf"}, "patchelf", State::warning, "fetching ROCm SDKs", {}},
        {"ccache", {"ccache"}, "ccache", State::warning, "fast repeated builds", {}},
        {"git", {"git"}, "git", State::warning, "versions in metadata and uploads", {}},
        {"git-lfs",
         {"git-lfs"},
         "git-lfs",
         State::warning,
         "clones of repositories of the Hub",
         {}},
    };
    return kWanted;
}

/// The first dotted number in a `--version` text; empty if there is none.
std::string first_version(std::string_view text) {
    for (std::size_t begin = 0; begin < text.size(); ++begin) {
        if (std::isdigit(static_cast<unsigned char>(text[begin])) == 0)
            continue;
        const auto end = text.find_first_not_of("0123456789.", begin);
        auto number = text.substr(begin, end == std::string_view::npos ? end : end - begin);
        if (support::contains(number, "."))
            return std::string(number.substr(0, number.find_last_not_of('.') + 1));
        begin += number.size();
    }
    return {};
}

std::string version_of(const fs::path& program) {
    const auto output = process::run({program, {"--version"}, {}, fetch_environment()});
    return output && output->status.ok() ? first_version(output->out) : std::string();
}

bool is_older(const std::string& version, const std::string& minimum) {
    const auto have = model::Version::parse(version);
    const auto need = model::Version::parse(minimum);
    return have && need && *have < *need;
}

Check check_program(const Wanted& wanted) {
    const auto install = "apt-get install " + wanted.package;
    for (const auto& name : wanted.programs) {
        const auto path = support::find_program(name);
        if (!path)
            continue;
        const auto version = version_of(*path);
        const auto found =
            version.empty() ? path->string() : fmt::format("{} at {}", version, path->string());
        if (is_older(version, wanted.minimum))
            return {State::failure,
                    wanted.name,
                    fmt::format("{}, older than {}", found, wanted.minimum),
                    install};
        return {State::ok, wanted.name, found, {}};
    }
    return {wanted.missing,
            wanted.name,
            fmt::format("missing, needed for {}", wanted.needed_for),
            install};
}

Check check_pip() {
    const auto output = process::run({"python3",
                                      {"-m", "pip", "--version", "--disable-pip-version-check"},
                                      {},
                                      fetch_environment()});
    if (output && output->status.ok())
        return {State::ok, "pip", first_version(output->out), {}};
    return {State::warning,
            "pip",
            "missing, needed for fetching torch SDKs",
            "apt-get install python3-pip"};
}

Check check_python_headers() {
    const process::Command command{
        "python3",
        {"-I",
         "-c",
         "import os, sysconfig; p = sysconfig.get_path('include'); "
         "print(p if os.path.isfile(os.path.join(p, 'Python.h')) else '')"},
        {},
        fetch_environment()};
    const auto output = process::run(command);
    const auto folder = output ? support::trim(output->out) : std::string_view();
    if (!folder.empty())
        return {State::ok, "Python.h", std::string(folder), {}};
    return {State::warning,
            "Python.h",
            "missing, needed for fetching torch SDKs",
            "apt-get install python3-dev"};
}

/// The nearest folder that exists already.
fs::path existing_parent(fs::path path) {
    while (!path.empty() && path.has_relative_path() && !support::is_folder(path))
        path = path.parent_path();
    return path;
}

Check check_space(const std::string& name, const fs::path& folder, std::uintmax_t wanted) {
    std::error_code code;
    const auto place = existing_parent(folder);
    const auto space = fs::space(place, code);
    if (code)
        return {State::warning, name, fmt::format("cannot tell for {}", folder.string()), {}};
    const auto found =
        fmt::format("{} free at {}", support::human_size(space.available), place.string());
    if (space.available >= wanted)
        return {State::ok, name, found, {}};
    return {State::warning,
            name,
            fmt::format("{}, less than {}", found, support::human_size(wanted)),
            "make room there, or set XDG_DATA_HOME and XDG_CACHE_HOME to a larger disk"};
}

} // namespace

std::vector<Check> check_host() {
    std::vector<std::future<Check>> running;
    for (const auto& wanted : wanted_programs())
        running.push_back(std::async(std::launch::async, check_program, std::cref(wanted)));
    if (support::find_program("python3")) {
        running.push_back(std::async(std::launch::async, check_pip));
        running.push_back(std::async(std::launch::async, check_python_headers));
    }
    std::vector<Check> checks;
    for (auto& check : running)
        checks.push_back(check.get());
    checks.push_back(check_space("space for SDKs", support::data_home(), 2'000'000'000));
    checks.push_back(check_space("space for downloads", support::cache_home(), 1'500'000'000));
    return checks;
}

} // namespace kbuild::toolchain
