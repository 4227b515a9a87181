#include "baseline_lock.hpp"

#include <chrono>

namespace kbuild::portable {
namespace {

/// Making one takes a second or two; others may wait for it.
constexpr std::chrono::minutes kPatience{2};

} // namespace

support::Result<support::FileLock> lock_baselines(const std::filesystem::path& store) {
    return support::FileLock::acquire(store / ".locks/baselines", support::lock_timeout(kPatience));
}

} // namespace kbuild::portable
