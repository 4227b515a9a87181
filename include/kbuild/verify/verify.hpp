#pragma once

#include "kbuild/diag/sink.hpp"
#include "kbuild/inspect/device_code.hpp"
#include "kbuild/layout/metadata.hpp"
#include "kbuild/model/gfx_arch.hpp"
#include "kbuild/model/variant.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kbuild::verify {

/// What a variant is checked against. Each check that cannot run for want of input is reported as a
/// note.
struct Expectations {
    /// What the folder is; absent: what its name says (a staged folder has another name).
    std::optional<model::Variant> variant;
    /// How messages call the folder; absent: as it is given (a staged folder is gone when they are
    /// read).
    std::optional<std::filesystem::path> shown_as;
    /// As asked for by build.toml; absent: only metadata and file are compared.
    std::optional<std::vector<model::GfxArch>> archs;
    /// TorchSdk::symbols_dir of the variant's torch.
    std::optional<std::filesystem::path> torch_symbols;
    /// RocmSdk::hip_soname; absent: `libamdhip64.so.<major of the variant's ROCm>`.
    std::optional<std::string> hip_soname;
    /// How old a system the variant is to be loaded on: a manylinux policy, or `none`.
    std::string policy = "manylinux_2_28";
    /// Folders of the build machine that no string of the library may name.
    std::vector<std::filesystem::path> build_folders;
};

/// Operators that a variant says it has.
struct DeclaredOps {
    std::string name_space;           ///< `torch.ops.<name>`; empty: the library registers none
    std::vector<std::string> schemas; ///< that stand in the library; sorted
    std::vector<std::string> used;    ///< names that its Python code uses; sorted
};

/// What was read from the variant while checking; the build's table prints it.
struct VariantFacts {
    std::string library;      ///< file name of the extension; empty if there is none
    std::uintmax_t bytes = 0; ///< of all files
    std::string sha256;       ///< of the extension, hex
    inspect::DeviceCode device_code;
    std::size_t kernels = 0;
    DeclaredOps ops;
    std::vector<std::string> unresolved; ///< names that K0611 is about, as the linker spells them
};

/// Checks one variant folder without running anything: layout and metadata as the loader wants
/// them, id and library name agree, PyInit_ exported, digests, right archs in the bundles and in
/// metadata, NEEDED (no CUDA library in a ROCm variant, no libtorch_python, the right libamdhip64),
/// no RPATH, no undefined symbol that the named torch's libraries (or Python, HIP, glibc, libstdc++
/// by their NEEDED) do not export, no operator used that the library does not register. Findings
/// have codes K06xx and K07xx and name the file that they are about. An Error only if the folder
/// cannot be read at all.
support::Result<VariantFacts> verify_variant(const std::filesystem::path& variant_dir,
                                             const Expectations& expectations,
                                             diag::Sink& sink);

} // namespace kbuild::verify
