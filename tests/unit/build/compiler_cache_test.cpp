#include "kbuild/build/compiler_cache.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace kbuild;

namespace {

bool has(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

const build::CompilerCache kCache{"/usr/bin/ccache", "/cache", ""};

} // namespace

TEST_CASE("without a cache compilers run by themselves") {
    CHECK(build::cache_launcher({}, "/p", "/log", "").empty());
}

TEST_CASE("the step stands before ccache, named without a path, so that commands stay the same") {
    auto cache = kCache;
    cache.steps = true;
    const auto words = build::cache_launcher(cache, "/p", "/log", "");
    CHECK(words[0] == "./kbuild-step");
    CHECK(words[1] == "memory");
    CHECK(words[2] == "env");
    cache.program.clear();
    CHECK(build::cache_launcher(cache, "/p", "/log", "") ==
          std::vector<std::string>{"./kbuild-step", "memory"});
}

TEST_CASE("the launcher shares objects between copies of a project") {
    const auto words = build::cache_launcher(kCache, "/my project", "/log", "");
    CHECK(words.front() == "env");
    CHECK(words.back() == "/usr/bin/ccache");
    CHECK(has(words, "CCACHE_DIR=/cache"));
    CHECK(has(words, "CCACHE_BASEDIR=/my project"));
    CHECK(has(words, "CCACHE_NOHASHDIR=1"));
    CHECK(has(words, "CCACHE_COMPILERCHECK=content"));
}

TEST_CASE("an SDK's compiler is known by its fingerprint, which covers the bitcode too") {
    const auto words = build::cache_launcher(kCache, "/p", "/log", "f1ng3r");
    CHECK(has(words, "CCACHE_COMPILERCHECK=string:f1ng3r"));
    CHECK(has(words, "CCACHE_COMPILERTYPE=clang"));
}

TEST_CASE("remote storage is ccache's own") {
    auto cache = kCache;
    CHECK_FALSE(has(build::cache_launcher(cache, "/p", "/log", ""), "CCACHE_REMOTE_STORAGE="));
    cache.remote = "redis://cache.example";
    CHECK(has(build::cache_launcher(cache, "/p", "/log", ""),
              "CCACHE_REMOTE_STORAGE=redis://cache.example"));
}

TEST_CASE("hits and misses are counted once for each compile") {
    const auto counts = build::count_cache_log("# a.cpp\n"
                                               "cache_miss\ndirect_cache_miss\n"
                                               "local_storage_miss\npreprocessed_cache_miss\n"
                                               "# a.cpp\ndirect_cache_hit\nlocal_storage_hit\n"
                                               "# b.hip\npreprocessed_cache_hit\n");
    CHECK(counts.hits == 2);
    CHECK(counts.misses == 1);
}
