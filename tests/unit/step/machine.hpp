#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

/// What `ask` says of a machine with these files; it is given the folder in which they are.
template <typename Ask>
auto on_machine_with(const std::map<std::string, std::string>& files, const Ask& ask) {
    namespace fs = std::filesystem;
    std::string name = (fs::temp_directory_path() / "kbuild-machine-XXXXXX").string();
    const fs::path root = ::mkdtemp(name.data());
    for (const auto& [path, text] : files) {
        fs::create_directories((root / path).parent_path());
        std::ofstream(root / path) << text;
    }
    const auto said = ask(root);
    fs::remove_all(root);
    return said;
}
