#include "kbuild/build/compiler_cache.hpp"

#include "kbuild/build/steps.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

namespace kbuild::build {

std::filesystem::path default_cache_folder() {
    return support::cache_home() / "ccache";
}

std::vector<std::string> cache_launcher(const CompilerCache& cache,
                                        const std::filesystem::path& root,
                                        const std::filesystem::path& log,
                                        std::string_view compiler) {
    std::vector<std::string> words;
    if (cache.steps) // as Ninja sees them from its folder, so that no path is part of the command
        words = {fmt::format("./{}", kStepProgram), std::string(kMemoryFolder)};
    if (cache.program.empty())
        return words;
    const std::vector<std::string> ccache{
        "env",
        "CCACHE_DIR=" + cache.folder.string(),
        "CCACHE_BASEDIR=" + root.string(),
        "CCACHE_NOHASHDIR=1",
        "CCACHE_SLOPPINESS=pch_defines,time_macros",
        "CCACHE_PCH_EXTSUM=1",
        "CCACHE_STATSLOG=" + log.string(),
        // hipcc and amdclang++ are clang under another name.
        compiler.empty() ? std::string("CCACHE_COMPILERCHECK=content")
                         : fmt::format("CCACHE_COMPILERCHECK=string:{}", compiler)};
    words.insert(words.end(), ccache.begin(), ccache.end());
    if (!compiler.empty())
        words.emplace_back("CCACHE_COMPILERTYPE=clang");
    if (!cache.remote.empty())
        words.push_back("CCACHE_REMOTE_STORAGE=" + cache.remote);
    words.push_back(cache.program.string());
    return words;
}

CacheCounts count_cache_log(std::string_view log) {
    CacheCounts counts;
    for (const auto& line : support::split(log, '\n')) {
        // One line for each compile and way to find it; `# file` before them.
        if (line == "direct_cache_hit" || line == "preprocessed_cache_hit")
            ++counts.hits;
        else if (line == "cache_miss")
            ++counts.misses;
    }
    return counts;
}

} // namespace kbuild::build
