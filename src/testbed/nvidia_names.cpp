#include "nvidia_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

namespace kbuild::testbed {
namespace {

constexpr std::array<std::string_view, 12> kPrefixes{"cuda",
                                                     "cudnn",
                                                     "cublas",
                                                     "cusparse",
                                                     "cufft",
                                                     "curand",
                                                     "cusolver",
                                                     "cupti",
                                                     "nccl",
                                                     "nvrtc",
                                                     "nvshmem",
                                                     "nvtx"};

std::string_view without_underscores(std::string_view name) {
    const auto first = name.find_first_not_of('_');
    return first == std::string_view::npos ? std::string_view() : name.substr(first);
}

bool is_nvidia_name(std::string_view full) {
    const auto name = without_underscores(full);
    if (is_driver_style(name) || name.starts_with("nvJitLink") || name.starts_with("pnccl"))
        return true;
    return std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](std::string_view prefix) {
        return name.starts_with(prefix);
    });
}

/// The library that a name without a version is looked for in by whoever opens it by hand.
/// Anywhere would do for all others.
std::string home_of(std::string_view name, const std::set<std::string>& sonames) {
    const std::string_view stem = is_driver_style(name) && !name.starts_with("cuFile")
                                      ? "libcuda.so"
                                  : name.starts_with("nccl") ? "libnccl.so"
                                                             : "libcudart.so";
    const auto found = std::find_if(sonames.begin(), sonames.end(), [&](const auto& soname) {
        return soname.starts_with(stem);
    });
    return found == sonames.end() ? *sonames.begin() : *found;
}

} // namespace

bool is_driver_style(std::string_view name) {
    return name.size() > 2 && name.starts_with("cu") &&
           std::isupper(static_cast<unsigned char>(name[2])) != 0;
}

bool is_nvidia_library(const std::string& soname) {
    return soname.starts_with("libcu") || soname.starts_with("libnv") ||
           soname.starts_with("libnccl");
}

std::vector<NvidiaLibrary> nvidia_libraries(const std::vector<elf::ElfFile>& users,
                                            const std::set<std::string>& have) {
    std::set<std::string> sonames;
    for (const auto& user : users)
        for (const auto& needed : user.needed)
            if (is_nvidia_library(needed))
                sonames.insert(needed);
    std::map<std::string, std::set<std::pair<std::string, std::string>>> names;
    for (const auto& soname : sonames)
        names[soname];
    for (const auto& user : users)
        for (const auto& symbol : user.symbols) {
            if (symbol.defined || sonames.empty())
                continue;
            const bool is_versioned = is_nvidia_library(symbol.version_library);
            if (!is_versioned && !(symbol.version.empty() && is_nvidia_name(symbol.name)))
                continue;
            const auto library =
                is_versioned ? symbol.version_library : home_of(symbol.name, sonames);
            // A version has to be there even if kbuild's own part holds all of its names.
            names[library].insert({symbol.version, have.contains(symbol.name) ? "" : symbol.name});
        }
    std::vector<NvidiaLibrary> libraries;
    for (const auto& [soname, list] : names)
        libraries.push_back({soname, {list.begin(), list.end()}});
    return libraries;
}

} // namespace kbuild::testbed
