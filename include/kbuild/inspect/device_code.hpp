#pragma once

#include "kbuild/elf/elf_file.hpp"
#include "kbuild/model/gfx_arch.hpp"
#include "kbuild/support/result.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::inspect {

/// One entry of a clang offload bundle.
struct BundleEntry {
    std::string target; ///< `hipv4-amdgcn-amd-amdhsa--gfx942`, `host-x86_64-unknown-linux-gnu-`
    std::string_view
        bytes; ///< into the bytes that were parsed (or into `Bundle::storage` if it was compressed)
};

struct Bundle {
    std::vector<BundleEntry> entries; ///< in the file's order
    bool compressed = false;
    std::shared_ptr<const std::string> storage; ///< the decompressed bundle, if it was compressed
};

/// What a hostile file can make the readers spend.
struct Limits {
    std::size_t decompressed_bytes = std::size_t{2} << 30U; ///< of all bundles of a file together
};

/// All offload bundles in the bytes of a `.hip_fatbin` section, one after the other (a library of
/// several translation units has several, each at a multiple of 4096; toolchain.md 4). Plain
/// (`__CLANG_OFFLOAD_BUNDLE__`) and compressed (`CCOB`, zlib and zstd, versions 1 to 3) ones.
/// Between them there may be zeros, nothing else: damaged ones are an Error of kind `content` with
/// the offset, never skipped, never a crash.
support::Result<std::vector<Bundle>> read_bundles(std::string_view fatbin,
                                                  const Limits& limits = {});

/// The architecture in an entry's target; none for the host and for what is no machine code of one
/// GPU (SPIR-V, generic targets such as `gfx9-4-generic`).
std::optional<model::GfxArch> arch_of_target(std::string_view target);

/// One argument in a kernel's argument segment; `kind` is the note's `.value_kind` (`by_value`,
/// `global_buffer`, `hidden_block_count_x`, …).
struct KernelArgument {
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
    std::string kind;
    bool operator==(const KernelArgument&) const = default;
};

/// What stands in a kernel's code: instructions, and how many of them are for the matrix cores
/// (`v_mfma_*`, `v_smfmac_*`).
struct InstructionCounts {
    std::size_t all = 0;
    std::size_t matrix = 0;
    bool operator==(const InstructionCounts&) const = default;
};

/// What the AMDGPU metadata note of a code object says of one kernel; figures in registers, bytes,
/// instructions.
struct KernelResources {
    std::string name;        ///< mangled
    std::string symbol;      ///< `<name>.kd`
    std::uint32_t vgprs = 0; ///< total, AGPRs included (gfx90a and later)
    std::uint32_t agprs = 0;
    std::uint32_t sgprs = 0;
    std::uint32_t vgpr_spills = 0;
    std::uint32_t sgpr_spills = 0;
    std::uint32_t lds_bytes = 0;
    std::uint32_t scratch_bytes = 0;
    std::uint32_t kernarg_bytes = 0;
    std::uint32_t max_work_group_size = 0;
    std::uint32_t wave_size = 0;
    bool dynamic_stack = false; ///< scratch_bytes is only what is known before the launch
    std::vector<KernelArgument> arguments; ///< in the note's order
    std::uint64_t code_bytes = 0; ///< size of its function symbol; 0 if the file does not tell
    /// None where the file has no code for it, and for architectures whose encoding is not known
    /// here (decision 0034).
    std::optional<InstructionCounts> instructions;
    bool empty = false; ///< it ends before it does anything
    bool operator==(const KernelResources&) const = default;
};

/// One code object for one architecture.
struct CodeObject {
    model::GfxArch arch;
    std::uint32_t code_object_version = 0; ///< 3 to 6
    std::size_t bytes = 0;
    std::vector<KernelResources> kernels; ///< sorted by name
};

/// Reads one code object (an ELF file for EM_AMDGPU) from memory: architecture from its metadata
/// note, version from its ELF header, kernels from the note, each with a descriptor among the
/// symbols. `name` is for messages.
support::Result<CodeObject> read_code_object(std::string_view bytes, const std::string& name);

/// All device code of a host library or executable (or of a bare code object, or of a file of
/// bundles).
struct DeviceCode {
    std::vector<CodeObject> objects; ///< sorted by arch, then in file order
    std::vector<std::string>
        other_targets; ///< device entries that are no machine code of one GPU; sorted
    std::size_t bundles = 0;
    std::size_t compressed_bundles = 0;
    std::vector<model::GfxArch> archs() const; ///< string-sorted, without repeats
    std::size_t kernel_count() const;          ///< different kernel names over all archs
};

/// By arch, those of one arch as they came.
void sort_by_arch(std::vector<CodeObject>& objects);

/// The device code in the bytes of a `.hip_fatbin` section. An entry whose code object is for
/// another architecture than its target says is an Error.
support::Result<DeviceCode>
read_fatbin(std::string_view fatbin, const std::string& name, const Limits& limits = {});

/// Reads it; a file without `.hip_fatbin` has no device code, which is no error.
support::Result<DeviceCode> read_device_code(const std::filesystem::path& path);

/// A code object that has a kernel.
struct FoundCode {
    model::GfxArch arch;
    std::string kernel; ///< mangled
    std::string bytes;  ///< of the code object, an ELF file
};

/// The code objects of a file that have a kernel, given mangled or as readable_symbol() shows it;
/// in the file's order. Errors as those of read_device_code().
support::Result<std::vector<FoundCode>> find_kernel(const std::filesystem::path& path,
                                                    const std::string& kernel);

} // namespace kbuild::inspect
