#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace kbuild::step {

/// A unit's leave to run, held while the value lives. What one holds is a lock on a file, so it
/// ends with its process whatever becomes of that.
///
/// A heavy unit (more than a sixteenth of the budget) waits until it and the heavy ones that run
/// fit into the budget, or none runs. It holds nothing that others wait for but the place at the
/// head of the queue, so nothing can lock up. Light ones only wait while one runs alone.
class Turn {
  public:
    static Turn
    take(const std::filesystem::path& folder, const std::string& unit, std::uint64_t bytes);
    /// Waits until nothing else runs, and lets nothing begin.
    static Turn alone(const std::filesystem::path& folder, const std::string& unit);

    Turn(Turn&& other) noexcept;
    Turn& operator=(Turn&&) = delete;
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn();

  private:
    Turn() = default;
    std::filesystem::path file_; ///< in `running`
    int held_ = -1;
    int door_ = -1; ///< kept by who runs alone
};

} // namespace kbuild::step
