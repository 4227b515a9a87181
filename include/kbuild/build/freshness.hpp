#pragma once

#include "kbuild/build/work_folder.hpp"
#include "kbuild/support/file_state.hpp"
#include "kbuild/support/result.hpp"
#include "kbuild/toolchain/host.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::build {

using support::FileState;

/// What a whole build was made from and what it made, so that a later run can see that there is
/// nothing to do without starting CMake, Ninja or a compiler.
struct Stamp {
    std::string request;              ///< fingerprint of what was asked for and is no file
    std::vector<FileState> inputs;    ///< everything that the build read; sorted by path
    std::vector<FileState> outputs;   ///< the files of all variants; sorted by path
    std::vector<std::string> remarks; ///< what the build said besides its report
    std::string text;                 ///< the report of a run that finds everything up to date
    std::string json;
};

/// A file's state with the hash of its content.
support::Result<FileState> hashed_state_of_file(const std::filesystem::path& path);

/// Called with an output and a file that its compiler read: relative to the work folder, or
/// absolute.
using OnDependency = std::function<void(const std::string& output, std::string_view input)>;

/// Reads what Ninja noted of the dependency files of all steps, in its order. It is read line by
/// line: of thousands of sources with hundreds of headers it is too much to be kept.
support::Result<void> read_dependencies(const WorkFolder& folder,
                                        const toolchain::HostTools& tools,
                                        const OnDependency& on_dependency);

/// Adds to the note of what sources held when they were compiled (contents.hpp): headers of the
/// project that build.toml does not list.
support::Result<void> note_contents(const WorkFolder& folder,
                                    const std::vector<std::filesystem::path>& files);

/// All files that the compilers of the last build read, by Ninja's record; absolute, sorted, but
/// for those of the work folder and of `immutable` folders.
support::Result<std::vector<std::filesystem::path>>
compiled_from(const WorkFolder& folder,
              const toolchain::HostTools& tools,
              const std::vector<std::filesystem::path>& immutable);

/// Whether any of the inputs changed between two times (nanoseconds since 1970), the first and the
/// last of a build: it may have been read before the change, so no stamp may call it up to date.
/// What changed "later" was changed before the clock was set back.
bool changed_between(const std::vector<FileState>& inputs, std::int64_t start, std::int64_t end);

/// The stamp of the last build if that had the same request and no file differs since.
std::optional<Stamp> fresh_stamp(const WorkFolder& folder, const std::string& request);

support::Result<void> write_stamp(const WorkFolder& folder, const Stamp& stamp);

/// Forgets the last build; what it made may be replaced from now on.
support::Result<void> remove_stamp(const WorkFolder& folder);

} // namespace kbuild::build
