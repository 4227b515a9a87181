#include "nvidia_names.hpp"

#include "kbuild/testbed/device_libraries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace kbuild::testbed {
namespace {

/// Functions that return a text by value; the driver's and cupti's return it through a pointer.
bool returns_text(std::string_view name) {
    constexpr std::array<std::string_view, 7> kEnds{"GetErrorString",
                                                    "GetErrorName",
                                                    "GetStatusString",
                                                    "GetStatusName",
                                                    "GetLastErrorString",
                                                    "GetLastError",
                                                    "GetResultString"};
    return !is_driver_style(name) && !name.starts_with("cupti") &&
           std::any_of(kEnds.begin(), kEnds.end(), [&](auto end) { return name.ends_with(end); });
}

/// A version is a number and not a status: 0 says that there is none.
bool returns_version(std::string_view name) {
    return name.ends_with("GetVersion") || name.ends_with("GetCudartVersion");
}

std::string function(std::string_view name, std::string_view soname) {
    if (returns_text(name))
        return fmt::format("const char *{}(void) {{ return \"`{}` does not exist on the emulated "
                           "device\"; }}\n",
                           name,
                           soname);
    if (returns_version(name))
        return fmt::format("unsigned long {}(void) {{ return 0; }}\n", name);
    return fmt::format(
        "long {0}(void) {{ return kbuild_cuda_refuse(\"{0}\", \"{1}\"); }}\n", name, soname);
}

} // namespace

std::string failing_source(const NvidiaLibrary& library) {
    std::string text = "int kbuild_cuda_refuse(const char *function, const char *library);\n";
    for (const auto& [version, name] : library.names)
        if (!name.empty())
            text += function(name, library.soname);
    return text;
}

std::string version_script(const NvidiaLibrary& library) {
    std::map<std::string, std::string> by_version;
    for (const auto& [version, name] : library.names) {
        if (version.empty())
            continue;
        auto& list = by_version[version];
        if (!name.empty())
            list += fmt::format(" {};", name);
    }
    std::string text;
    for (const auto& [version, list] : by_version)
        text += list.empty() ? fmt::format("{} {{ }};\n", version)
                             : fmt::format("{} {{ global:{} }};\n", version, list);
    return text;
}

} // namespace kbuild::testbed
