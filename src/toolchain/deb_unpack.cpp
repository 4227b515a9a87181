#include "deb_unpack.hpp"

#include "kbuild/process/runner.hpp"
#include "kbuild/support/file.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>

namespace kbuild::toolchain {
namespace {

using support::Result;
namespace fs = std::filesystem;

Result<void> unpack(const fs::path& deb, const fs::path& into) {
    KB_TRY(process::run_ok(
        {"dpkg-deb", {"-x", deb.string(), into.string()}, {}, process::clean_environment()},
        support::ErrorKind::toolchain));
    return {};
}

} // namespace

Result<void> unpack_debs(const std::vector<fs::path>& debs, const fs::path& into) {
    KB_TRY(support::make_folder(into));
    std::atomic<std::size_t> next{0};
    const auto work = [&]() -> Result<void> {
        for (std::size_t i = next++; i < debs.size(); i = next++)
            KB_TRY(unpack(debs[i], into));
        return {};
    };
    const auto count = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 4);
    std::vector<std::future<Result<void>>> workers;
    for (std::size_t i = 0; i < count; ++i)
        workers.push_back(std::async(std::launch::async, work));
    Result<void> result;
    for (auto& worker : workers)
        if (auto one = worker.get(); !one && result)
            result = std::move(one);
    return result;
}

} // namespace kbuild::toolchain
