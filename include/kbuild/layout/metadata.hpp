#pragma once

#include "kbuild/model/backend.hpp"
#include "kbuild/model/gfx_arch.hpp"
#include "kbuild/support/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::layout {

struct KernelDependencyEntry {
    std::string repo_id;
    std::optional<std::uint64_t> version;
    std::optional<std::string> revision;
    bool operator==(const KernelDependencyEntry&) const = default;
};

/// A commit and whether tracked files differed from it.
struct CommitState {
    std::string commit; ///< 40 or 64 hex digits
    bool dirty = false;
    bool operator==(const CommitState&) const = default;
};

/// `provenance`: the builder and the kernel's own commit. kbuild adds the key `kbuild` with the
/// SDKs used; readers of metadata.json accept unknown keys (upstream.md 3.9).
struct Provenance {
    std::string builder_version; ///< key kernel-builder.version
    std::optional<CommitState> builder_commit;
    std::optional<CommitState> kernel;
    std::optional<std::string> torch_sdk; ///< `torch 2.13.0+cu130 (pip)`
    std::optional<std::string> rocm_sdk;  ///< `HIP 6.4.43484 (apt, mix: …)`
    bool operator==(const Provenance&) const = default;
};

struct DigestEntry {
    std::string path;   ///< relative, with `/`
    std::string base64; ///< of the SHA-256
    bool operator==(const DigestEntry&) const = default;
};

/// metadata.json of a variant (upstream.md 3.9).
struct Metadata {
    std::string name; ///< fits model::KernelName
    std::string id;
    std::uint64_t version = 0;
    std::optional<std::string>
        kernels_minver; ///< `X.Y.Z`: the oldest `kernels` package that can load it
    std::string license;
    std::optional<std::string> upstream;
    std::optional<std::string> source;
    std::vector<std::string> python_depends;
    std::vector<KernelDependencyEntry> kernel_depends;
    model::Backend backend = model::Backend::cpu;
    std::optional<std::vector<model::GfxArch>> archs; ///< of rocm; string-sorted; absent for cpu
    std::optional<std::vector<std::string>>
        other_archs; ///< archs of other backends, as written: `9.0a+PTX`
    std::string digest_algorithm =
        "sha256"; ///< or `sha512`, which kbuild keeps but does not compute
    std::optional<std::vector<DigestEntry>> digest; ///< sorted by path
    std::optional<Provenance> provenance;
};

/// JSON as upstream's `hash` writes it, byte for byte: keys in upstream's order, two spaces, no
/// final newline.
std::string write_metadata(const Metadata& metadata);

/// The reverse. Accepts what upstream's reader accepts (unknown keys at all levels included; `sha`
/// for `commit` in provenance), except a key that is written twice. An Error of kind `content`
/// names the missing or malformed key.
support::Result<Metadata> read_metadata(std::string_view json);

} // namespace kbuild::layout
