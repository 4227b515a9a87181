#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace kbuild::precompile {

/// Which run of a compiler a header is precompiled for.
enum class Pass {
    cxx,       ///< C++ by one command
    hip_host,  ///< the host half of HIP
    hip_device ///< the device half of HIP, for one architecture
};

/// Headers of SDKs to precompile, and everything that decides what they mean.
struct Request {
    Pass pass = Pass::cxx;
    std::filesystem::path compiler;
    std::map<std::string, std::string> environment;
    std::string identity; ///< of the compiler and all headers of SDKs; another one, another file
    std::vector<std::string> options; ///< as units are compiled, without folders of the project
    std::vector<std::string> headers; ///< as spelled between `<` and `>`, in order
};

/// 32 hex digits over all fields but the environment.
std::string key_of(const Request& request);

} // namespace kbuild::precompile
