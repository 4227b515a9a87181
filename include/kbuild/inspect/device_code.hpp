#pragma once

#include "kbuild/elf/elf_file.hpp"
#include "kbuild/model/gfx_arch.hpp"
#include "kbuild/support/result.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::inspect {

/// One entry of a clang offload bundle.
struct BundleEntry {
    std::string target;      ///< `hipv4-amdgcn-amd-amdhsa--gfx942`, `host-x86_64-unknown-linux-gnu-`
    std::string_view bytes;  ///< into the bytes that were parsed (or into `Bundle::storage` if it was compressed)
};

struct Bundle {
    std::vector<BundleEntry> entries;
    bool compressed = false;
    std::string storage;  ///< the decompressed bundle, if it was compressed
};

/// All offload bundles in the bytes of a `.hip_fatbin` section, one after the other (a library of several
/// translation units has several, each at a multiple of 4096; toolchain.md 4). Plain (`__CLANG_OFFLOAD_BUNDLE__`)
/// and compressed (`CCOB`, zlib and zstd) ones. Damaged ones are an Error of kind `content`, never a crash.
support::Result<std::vector<Bundle>> read_bundles(std::string_view fatbin);

/// What the AMDGPU metadata note of a code object says of one kernel; figures in registers, bytes, instructions.
struct KernelResources {
    std::string name;        ///< mangled
    std::string symbol;      ///< `<name>.kd`
    std::uint32_t vgprs = 0;  ///< total, AGPRs included (gfx90a and later)
    std::uint32_t agprs = 0;
    std::uint32_t sgprs = 0;
    std::uint32_t vgpr_spills = 0;
    std::uint32_t sgpr_spills = 0;
    std::uint32_t lds_bytes = 0;
    std::uint32_t scratch_bytes = 0;
    std::uint32_t kernarg_bytes = 0;
    std::uint32_t max_work_group_size = 0;
    std::uint32_t wave_size = 0;
    bool operator==(const KernelResources&) const = default;
};

/// One code object for one architecture.
struct CodeObject {
    model::GfxArch arch;
    std::uint32_t code_object_version = 0;  ///< 4, 5, 6
    std::size_t bytes = 0;
    std::vector<KernelResources> kernels;   ///< sorted by name
};

/// All device code of a host library or executable (or of a bare code object).
struct DeviceCode {
    std::vector<CodeObject> objects;         ///< sorted by arch, then in file order
    std::vector<model::GfxArch> archs() const;  ///< string-sorted, without repeats
    std::size_t kernel_count() const;        ///< different kernel names over all archs
};

/// Reads it; a file without `.hip_fatbin` has no device code, which is no error.
support::Result<DeviceCode> read_device_code(const std::filesystem::path& path);

}  // namespace kbuild::inspect
