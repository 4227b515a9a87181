#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::build {

/// ccache in front of the compilers; `program` empty: none.
struct CompilerCache {
    std::filesystem::path program;
    std::filesystem::path folder; ///< kbuild's own: what others cached is neither read nor pruned
    std::string remote; ///< ccache's remote storage, `redis://…` or `http://…`; empty: none
    bool steps = false; ///< kbuild-step stands before it (steps.hpp)
};

/// `$XDG_CACHE_HOME/kbuild/ccache`.
std::filesystem::path default_cache_folder();

/// What stands before a compiler's command. Objects are shared by all copies of a project wherever
/// it lies (`root`). `compiler` identifies the compiler with everything that it reads besides the
/// sources, such as an SDK's bitcode, which ccache does not hash (toolchain.md 8); empty: the
/// content of its executable does. Each compile is noted in `log`.
std::vector<std::string> cache_launcher(const CompilerCache& cache,
                                        const std::filesystem::path& root,
                                        const std::filesystem::path& log,
                                        std::string_view compiler);

/// The log in the work folder.
inline constexpr std::string_view kCacheLog = "ccache.log";

/// What the log of a run says.
struct CacheCounts {
    std::size_t hits = 0;
    std::size_t misses = 0;
};
CacheCounts count_cache_log(std::string_view log);

} // namespace kbuild::build
