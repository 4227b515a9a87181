#include "machine.hpp"

#include "kbuild/step/usable_cores.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
namespace fs = std::filesystem;

namespace {

/// Of a machine with eight cores and these files.
unsigned cores_with(const std::map<std::string, std::string>& files) {
    return on_machine_with(files, [](const fs::path& root) { return step::usable_cores(8, root); });
}

} // namespace

TEST_CASE("without a quota all cores are used") {
    CHECK(cores_with({}) == 8);
    CHECK(cores_with(
              {{"proc/self/cgroup", "0::/a\n"}, {"sys/fs/cgroup/a/cpu.max", "max 100000\n"}}) == 8);
    CHECK(cores_with({{"proc/self/cgroup", "3:cpu:/a\n"},
                      {"sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "-1\n"},
                      {"sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n"}}) == 8);
    CHECK(step::usable_cores() >= 1);
}

TEST_CASE("version 2: the tightest quota on the way up counts, rounded up to a core") {
    std::map<std::string, std::string> files = {
        {"proc/self/cgroup", "0::/a/b\n"},
        {"sys/fs/cgroup/a/b/cpu.max", "600000 100000\n"},
        {"sys/fs/cgroup/a/cpu.max", "250000 100000\n"},
    };
    CHECK(cores_with(files) == 3);
    files["sys/fs/cgroup/a/cpu.max"] = "max 100000\n";
    CHECK(cores_with(files) == 6);
    files["sys/fs/cgroup/a/b/cpu.max"] = "1000 100000\n";
    CHECK(cores_with(files) == 1);
    files["sys/fs/cgroup/a/b/cpu.max"] = "9000000 100000\n"; // more than there are
    CHECK(cores_with(files) == 8);
    files["sys/fs/cgroup/a/b/cpu.max"] = "200000\n"; // no period
    CHECK(cores_with(files) == 8);
}

TEST_CASE("version 1: the cpu controller's group, in a container the mounted root") {
    CHECK(cores_with({{"proc/self/cgroup", "4:memory:/\n3:cpu,cpuacct:/docker/0123\n"},
                      {"sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n"},
                      {"sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"}}) == 2);
}
