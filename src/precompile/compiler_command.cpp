#include "compiler_command.hpp"

#include <fmt/format.h>

namespace kbuild::precompile {

std::string source_text(const Request& request) {
    std::string text;
    for (const auto& header : request.headers)
        text += fmt::format("#include <{}>\n", header);
    return text;
}

process::Command compiler_command(const Request& request, const Place& place) {
    process::Command command;
    command.program = request.compiler;
    command.environment = request.environment;
    command.arguments = request.options;
    const auto add = [&](std::initializer_list<std::string> words) {
        command.arguments.insert(command.arguments.end(), words);
    };
    // Templates that the headers use are instantiated once, here; most of what is left otherwise.
    add({"-fpch-instantiate-templates"});
    if (request.pass == Pass::cxx) {
        add({"-MD", "-MF", place.dependencies().string()});
        add({"-o", place.binary().string(), "-x", "c++-header", place.source().string()});
        return command;
    }
    // -S: a device pass that ends in an object would be linked.
    if (request.pass == Pass::hip_host)
        add({"--cuda-host-only", "-c"});
    else
        add({"--cuda-device-only", "-S"});
    // The driver knows no precompiled header of HIP, so its last step is replaced; and it writes no
    // dependencies of device passes.
    for (const auto& word : {std::string("-emit-pch"),
                             std::string("-dependency-file"),
                             place.dependencies().string(),
                             std::string("-MT"),
                             std::string("headers.pch"),
                             std::string("-sys-header-deps")})
        add({"-Xclang", word});
    add({"-o", place.binary().string(), "-x", "hip", place.source().string()});
    return command;
}

} // namespace kbuild::precompile
