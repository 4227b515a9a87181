// The system: std::filesystem, stat, dlopen, math, random numbers, memory resources.
#include "checks.h"

#include <cmath>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory_resource>
#include <random>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

namespace {

void check_files() {
    const auto folder = fs::temp_directory_path() / ("kbuild-portable-" + std::to_string(getpid()));
    fs::create_directories(folder / "a/b");
    std::ofstream(folder / "a/file") << "hello";
    CHECK(fs::file_size(folder / "a/file") == 5);
    fs::copy(folder / "a", folder / "c", fs::copy_options::recursive);
    int entries = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        entries += entry.exists() ? 1 : 0;
    CHECK(entries == 6);
    CHECK(fs::canonical(folder / "a/../c/file").filename() == "file");
    CHECK(fs::remove_all(folder) == 7);
}

void check_stat() {
    struct stat status{};
    CHECK(::stat("/", &status) == 0 && S_ISDIR(status.st_mode));
    CHECK(::lstat("/", &status) == 0);
    const int file = ::open("/dev/null", O_RDONLY);
    CHECK(::fstat(file, &status) == 0 && S_ISCHR(status.st_mode));
    CHECK(::fstatat(AT_FDCWD, "/", &status, 0) == 0);
    ::close(file);
}

void check_math() {
    volatile double x = 1.5;
    volatile double y = 2.5;
    CHECK(std::abs(std::exp(x) - 4.4816890703380648) < 1e-12);
    CHECK(std::abs(std::pow(x, y) - 2.7556759606310752) < 1e-12);
    CHECK(std::abs(std::log(x) - 0.4054651081081644) < 1e-12);
    CHECK(std::fmod(y, x) == 1.0 && std::hypot(x, y) > 2.9 && std::tgamma(x) > 0.8);
    CHECK(std::exp(static_cast<float>(x)) > 4.4F && std::beta(x, y) > 0);
    void* const library = ::dlopen("libm.so.6", RTLD_NOW);
    CHECK(library != nullptr && ::dlsym(library, "cos") != nullptr);
    ::dlclose(library);
}

void check_memory() {
    std::byte buffer[1024];
    std::pmr::monotonic_buffer_resource resource(buffer, sizeof(buffer));
    std::pmr::vector<std::pmr::string> strings(&resource);
    for (int i = 0; i < 100; ++i)
        strings.emplace_back("longer than what fits into a string itself");
    std::pmr::unsynchronized_pool_resource pool;
    std::pmr::map<int, int> map(&pool);
    map[1] = 2;
    CHECK(strings.size() == 100 && map.at(1) == 2);
    std::random_device device;
    CHECK((device() | device() | device()) != 0 && device.entropy() >= 0);
}

} // namespace

void run_checks() {
    check_files();
    check_stat();
    check_math();
    check_memory();
}
