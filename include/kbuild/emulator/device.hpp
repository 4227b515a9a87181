#pragma once

#include "kbuild/emulator/finding.hpp"
#include "kbuild/emulator/memory_access.hpp"
#include "kbuild/emulator/module.hpp"
#include "kbuild/emulator/options.hpp"
#include "kbuild/support/result.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace kbuild::emulator {

struct Launch {
    std::array<std::uint32_t, 3> grid{1, 1, 1};  ///< work-groups
    std::array<std::uint32_t, 3> block{1, 1, 1}; ///< work-items per group
    std::uint32_t dynamic_lds = 0;
    std::string kernarg; ///< explicit arguments in place; hidden ones are filled in
    int ordinal = 0;     ///< of the device that it runs on
};

/// Where memory comes from and how it may be used.
enum class MemoryKind { device, host, managed, module_image };

/// What a kernel did, over all launches.
struct KernelStatistics {
    std::string name;
    std::uint64_t launches = 0;
    std::uint64_t work_groups = 0;
    std::uint64_t instructions = 0;                           ///< of waves
    std::vector<std::pair<std::string, std::uint64_t>> units; ///< by unit, sorted
    std::vector<std::pair<std::string, std::uint64_t>> names; ///< by instruction, sorted
    std::uint64_t lds_accesses = 0;                           ///< wave instructions
    std::uint64_t lds_conflict_cycles =
        0; ///< cycles beyond the least possible (gemm.md 3.4's model)
    std::uint64_t global_bytes_read = 0;
    std::uint64_t global_bytes_written = 0;
    std::uint64_t global_segments = 0; ///< 64-byte segments that accesses touched
    std::uint64_t global_accesses = 0; ///< wave instructions
    double seconds = 0;
};

/// How an instruction that ran is modelled.
struct InstructionTrust {
    std::string name;
    std::string fidelity; ///< `exact` or `approximate`; each has a unit test of its own
    std::string oracle;   ///< what its test compares with
    std::uint64_t count = 0;
};

/// The emulated MI300X, or several of them: their memory, what was found and what ran.
/// An ordinal says which device; memory of one is not accessible to kernels of another.
class Device {
  public:
    explicit Device(Options options);
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    const Options& options() const;

    /// Null if the device or the host has not enough memory. Aligned to 256 bytes, between zones
    /// that no kernel may touch; its bytes are undefined until written.
    void* allocate(std::uint64_t bytes, MemoryKind kind, int ordinal = 0);
    /// False if `address` is not the start of a live allocation.
    bool release(void* address);
    /// Registers memory that is not from allocate(): a module's image, host memory that is pinned.
    void adopt(const void* address, std::uint64_t bytes, MemoryKind kind, const std::string& name);
    void forget(const void* address);
    /// The host wrote here: the bytes are defined now. copy_defined() takes the state of the
    /// source.
    void mark_defined(const void* address, std::uint64_t bytes);
    void copy_defined(const void* to, const void* from, std::uint64_t bytes);

    struct Range {
        std::uint64_t address = 0;
        std::uint64_t bytes = 0;
        MemoryKind kind = MemoryKind::device;
        int ordinal = 0; ///< of the device whose memory it is
    };
    /// The live allocation that holds `address`; bytes 0 if there is none.
    Range find(const void* address) const;
    std::uint64_t bytes_in_use(int ordinal = 0) const;
    /// How many of the bytes nobody wrote; 0 where that is not tracked.
    std::uint64_t undefined_bytes(const void* address, std::uint64_t bytes) const;

    /// Runs the kernel to its end. An Error stands for a launch that the runtime refuses (too much
    /// LDS, too many work-items) or that was stopped; findings say why.
    /// `touched` gets the ranges that it accessed, if memory is checked.
    support::Result<void> launch(const Module& module,
                                 const Kernel& kernel,
                                 const Launch& launch,
                                 std::vector<MemoryAccess>* touched = nullptr);

    /// Files what was found outside of a kernel.
    void report(Finding finding);
    /// Is called, on the thread that launched, with each finding of each launch; the host that sets
    /// it answers for findings, so nothing is printed.
    void on_finding(std::function<void(const Finding&)> handler);
    bool has_finding_handler() const;

    std::vector<Finding> findings() const;
    std::vector<KernelStatistics> statistics() const;
    std::vector<InstructionTrust> trust() const;

    /// Everything as JSON: kernels, instructions with their fidelity, findings, checks.
    std::string report_json() const;
    /// The line that every run ends with.
    std::string summary() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace kbuild::emulator
