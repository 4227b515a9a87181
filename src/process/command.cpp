#include "kbuild/process/command.hpp"

#include "kbuild/support/environment.hpp"
#include "kbuild/support/strings.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace kbuild::process {
namespace {

constexpr std::array kPassedOn = {"HOME",
                                  "HTTPS_PROXY",
                                  "HTTP_PROXY",
                                  "LOGNAME",
                                  "NO_PROXY",
                                  "PATH",
                                  "SOURCE_DATE_EPOCH",
                                  "TMPDIR",
                                  "USER",
                                  "XDG_CACHE_HOME",
                                  "XDG_CONFIG_HOME",
                                  "XDG_DATA_HOME",
                                  "http_proxy",
                                  "https_proxy",
                                  "no_proxy"};

constexpr std::array kHarmful = {"CFLAGS",
                                 "CMAKE_PREFIX_PATH",
                                 "CPATH",
                                 "CPLUS_INCLUDE_PATH",
                                 "CXXFLAGS",
                                 "C_INCLUDE_PATH",
                                 "DEVICE_LIB_PATH",
                                 "HIPCC_COMPILE_FLAGS_APPEND",
                                 "HIP_CLANG_PATH",
                                 "HIP_DEVICE_LIB_PATH",
                                 "HIP_PATH",
                                 "HIP_PLATFORM",
                                 "LDFLAGS",
                                 "LD_LIBRARY_PATH",
                                 "LD_PRELOAD",
                                 "LIBRARY_PATH",
                                 "LLVM_PATH",
                                 "PYTHONPATH",
                                 "PYTORCH_ROCM_ARCH",
                                 "ROCM_PATH"};

} // namespace

std::string Command::display() const {
    std::string text = support::shell_quote(program.string());
    for (const auto& argument : arguments)
        text += " " + support::shell_quote(argument);
    return text;
}

std::map<std::string, std::string> clean_environment() {
    std::map<std::string, std::string> variables{{"LC_ALL", "C.UTF-8"}};
    for (const auto* name : kPassedOn)
        if (const auto value = support::environment(name))
            variables[name] = *value;
    for (const auto& name : kept_variables())
        if (const auto value = support::environment(name))
            variables[name] = *value;
    return variables;
}

std::vector<std::string> kept_variables() {
    std::vector<std::string> names;
    const auto list = support::environment(kKeepVariable).value_or("");
    for (const auto& name : support::split(list, ','))
        if (support::environment(name))
            names.push_back(name);
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<std::string> ignored_variables() {
    const auto kept = kept_variables();
    std::vector<std::string> names;
    for (const auto* name : kHarmful)
        if (support::environment(name) && std::find(kept.begin(), kept.end(), name) == kept.end())
            names.emplace_back(name);
    return names;
}

} // namespace kbuild::process
