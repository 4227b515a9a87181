#include "machine.hpp"

#include "kbuild/step/free_memory.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMiB = 1ULL << 20U;
const std::string kMeminfo =
    "MemTotal:       9000000 kB\nMemFree: 1 kB\nMemAvailable:    8192 kB\n";

/// What would be free on a machine with these files.
std::uint64_t free_with(const std::map<std::string, std::string>& files) {
    return on_machine_with(files, [](const fs::path& root) { return step::free_memory(root); });
}

std::string bytes(std::uint64_t mib) {
    return std::to_string(mib * kMiB) + "\n";
}

} // namespace

TEST_CASE("without control groups the system's available memory is free") {
    CHECK(free_with({{"proc/meminfo", kMeminfo}}) == 8 * kMiB);
    CHECK(free_with({{"proc/meminfo", kMeminfo}, {"proc/self/cgroup", "0::/user\n"}}) == 8 * kMiB);
}

TEST_CASE("where nothing can be read nothing is known") {
    CHECK(free_with({}) == 0);
}

TEST_CASE("version 2: the tightest group on the way up counts, file pages out of use are free") {
    std::map<std::string, std::string> files = {
        {"proc/meminfo", kMeminfo},
        {"proc/self/cgroup", "0::/a/b\n"},
        {"sys/fs/cgroup/a/b/memory.max", "max\n"},
        {"sys/fs/cgroup/a/b/memory.current", bytes(3)},
        {"sys/fs/cgroup/a/memory.max", bytes(6)},
        {"sys/fs/cgroup/a/memory.current", bytes(4)},
    };
    CHECK(free_with(files) == 2 * kMiB);
    files["sys/fs/cgroup/a/memory.stat"] = "anon 5\ninactive_file " + bytes(1);
    CHECK(free_with(files) == 3 * kMiB);
    files["sys/fs/cgroup/a/memory.current"] = bytes(7); // above the limit for an instant
    files.erase("sys/fs/cgroup/a/memory.stat");
    CHECK(free_with(files) == 0);
}

TEST_CASE("version 1: the memory controller's group") {
    CHECK(free_with({{"proc/meminfo", kMeminfo},
                     {"proc/self/cgroup", "5:cpu:/\n4:memory:/job\n0::/\n"},
                     {"sys/fs/cgroup/memory/job/memory.limit_in_bytes", bytes(5)},
                     {"sys/fs/cgroup/memory/job/memory.usage_in_bytes", bytes(3)},
                     {"sys/fs/cgroup/memory/job/memory.stat",
                      "inactive_file 1\ntotal_inactive_file " + bytes(1)}}) == 3 * kMiB);
}

TEST_CASE("in a container whose group is named as outside, the mounted root counts") {
    CHECK(free_with({{"proc/meminfo", kMeminfo},
                     {"proc/self/cgroup", "4:memory:/docker/0123\n"},
                     {"sys/fs/cgroup/memory/memory.limit_in_bytes", bytes(4)},
                     {"sys/fs/cgroup/memory/memory.usage_in_bytes", bytes(3)}}) == kMiB);
}

TEST_CASE("the limit of a group without limit is no memory") {
    CHECK(free_with({{"proc/meminfo", kMeminfo},
                     {"proc/self/cgroup", "4:memory:/\n"},
                     {"sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"},
                     {"sys/fs/cgroup/memory/memory.usage_in_bytes", bytes(3)}}) == 8 * kMiB);
}
