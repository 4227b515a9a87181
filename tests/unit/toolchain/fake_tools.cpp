#include "fake_tools.hpp"

#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <cstdlib>

namespace kbuild::toolchain::test {

namespace fs = std::filesystem;

Environment::Environment(const std::map<std::string, std::string>& variables) {
    for (const auto& [name, value] : variables) {
        const char* const old = std::getenv(name.c_str());
        old_[name] = old != nullptr ? std::optional<std::string>(old) : std::nullopt;
        ::setenv(name.c_str(), value.c_str(), 1);
    }
}

Environment::~Environment() {
    for (const auto& [name, value] : old_)
        if (value)
            ::setenv(name.c_str(), value->c_str(), 1);
        else
            ::unsetenv(name.c_str());
}

FakeMachine::FakeMachine()
    : folder_(support::TempDir::create(fs::temp_directory_path(), "kbuild-machine-").value()) {
    fs::create_directories(bin());
}

void FakeMachine::add_program(const std::string& name, const std::string& script) const {
    write(bin() / name, "#!/bin/sh\n" + script, true);
}

void FakeMachine::add_real(const std::string& name) const {
    const auto real = support::find_program(name);
    REQUIRE(real.has_value());
    // A script and not a link: some programs look at the name or place they were started by.
    add_program(name, fmt::format("PATH=/usr/bin:/bin exec '{}' \"$@\"\n", real->string()));
}

std::string FakeMachine::log() const {
    return support::read_file(root() / "log").value_or("");
}

std::map<std::string, std::string> FakeMachine::variables() const {
    return {{"PATH", bin().string()},
            {"HOME", root().string()},
            {"XDG_DATA_HOME", (root() / "data").string()},
            {"XDG_CACHE_HOME", (root() / "cache").string()},
            {"KBUILD_DEBIAN_MIRROR", ""}};
}

void write(const fs::path& path, const std::string& text, bool executable) {
    REQUIRE(support::write_file_atomically(path, text, executable ? 0755 : 0644).has_value());
}

void make_amd_rocm(const fs::path& root, const std::string& major, const std::string& minor) {
    write(root / "include/hip/hip_version.h",
          fmt::format("#define HIP_VERSION_MAJOR {}\n#define HIP_VERSION_MINOR {}\n"
                      "#define HIP_VERSION_PATCH 123\n",
                      major,
                      minor));
    write(root / "include/hip/hip_runtime.h", "");
    write(root / "lib/llvm/bin/clang++", "", true);
    write(root / "bin/hipcc", "", true);
    write(root / "bin/amdclang++", "", true);
    write(root / "amdgcn/bitcode/ocml.bc", "");
    write(root / ".info/version", fmt::format("{}.{}.0-1\n", major, minor));
    fs::create_directories(root / "lib");
    fs::copy_file(KBUILD_TOOLCHAIN_FIXTURE, root / "lib/libamdhip64.so");
}

} // namespace kbuild::toolchain::test
