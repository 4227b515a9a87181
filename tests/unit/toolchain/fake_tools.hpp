#pragma once

#include "kbuild/support/temp_dir.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace kbuild::toolchain::test {

/// Sets environment variables for the life of the value.
class Environment {
  public:
    explicit Environment(const std::map<std::string, std::string>& variables);
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    ~Environment();

  private:
    std::map<std::string, std::optional<std::string>> old_;
};

/// A folder of made-up programs, and a home, in a path with a blank.
class FakeMachine {
  public:
    FakeMachine();

    std::filesystem::path root() const { return folder_.path() / "a machine"; }
    std::filesystem::path bin() const { return root() / "bin"; }
    std::filesystem::path store() const { return root() / "data/kbuild/toolchains"; }
    std::filesystem::path downloads() const { return root() / "cache/kbuild/downloads"; }

    /// A program that runs `script` with sh.
    void add_program(const std::string& name, const std::string& script) const;
    /// A link to the real program of this machine.
    void add_real(const std::string& name) const;
    /// Text of a log that made-up programs append to (`$FAKE_LOG`).
    std::string log() const;

    /// PATH holds only bin(); XDG folders lie below root().
    std::map<std::string, std::string> variables() const;

  private:
    support::TempDir folder_;
};

/// Writes a file and the folders above it.
void write(const std::filesystem::path& path, const std::string& text, bool executable = false);

/// An installed ROCm as AMD's packages lay it out.
void make_amd_rocm(const std::filesystem::path& root,
                   const std::string& major,
                   const std::string& minor);

} // namespace kbuild::toolchain::test
