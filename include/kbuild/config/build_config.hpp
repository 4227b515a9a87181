#pragma once

#include "kbuild/diag/source.hpp"
#include "kbuild/model/backend.hpp"
#include "kbuild/model/gfx_arch.hpp"
#include "kbuild/model/kernel_name.hpp"
#include "kbuild/model/version.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kbuild::config {

/// A value together with the place in the file that it was read from.
template <typename T> struct Spanned {
    T value{};
    diag::SourceSpan span;
};

using Strings = std::vector<Spanned<std::string>>;

/// `{ repo-id, version }` or `{ repo-id, revision }`: exactly one of the two.
struct KernelDependency {
    std::string repo_id;
    std::optional<std::uint64_t> version;
    std::optional<std::string> revision;
    diag::SourceSpan span;
};

struct Hub {
    std::optional<std::string> repo_id;
    std::optional<std::string> branch;
};

/// Dependencies of one backend, from `[general.<backend>]`.
struct BackendOptions {
    std::vector<KernelDependency> kernel_depends;
    Strings python_depends;
    model::VersionRange versions; ///< cuda only: minver, maxver
    diag::SourceSpan span;        ///< the table's header
};

struct General {
    Spanned<model::KernelName> name;
    Spanned<std::string> written_name; ///< as it stands in the file, also if it is no kernel name
    std::uint64_t version = 0;
    std::string license;
    std::vector<Spanned<model::Backend>> backends;
    std::optional<std::string> upstream;
    std::optional<std::string> source;
    Hub hub;
    std::map<model::Backend, BackendOptions> backend_options;
    std::vector<KernelDependency> kernel_depends;
    Strings python_depends;
};

enum class FrameworkKind { torch, torch_noarch, tvm_ffi };

/// `[torch]`, `[torch-noarch]` or `[tvm-ffi]`.
struct Framework {
    FrameworkKind kind = FrameworkKind::torch;
    Strings src;
    std::optional<Strings> include;
    model::VersionRange versions; ///< torch only
    std::optional<Strings> pyext; ///< absent: py, pyi
    std::map<model::Backend, model::Version>
        stable_abi; ///< torch only; a plain string fills all backends
    Strings cxx_flags;
    Strings cuda_capabilities; ///< torch-noarch only
    Strings rocm_archs;        ///< torch-noarch only
    diag::SourceSpan span;     ///< the table's header
};

/// One `[kernel.<name>]`.
struct KernelComponent {
    std::string name;
    model::Backend backend = model::Backend::cpu;
    Strings depends;
    Strings src;
    Strings include;
    Strings cxx_flags;
    Strings cuda_capabilities;
    Strings cuda_flags;
    std::optional<model::Version> cuda_minver;
    std::vector<Spanned<model::GfxArch>> rocm_archs; ///< empty: upstream's default list
    Strings hip_flags;
    Strings sycl_flags;
    diag::SourceSpan span; ///< the table's header
};

/// build.toml after reading: the normalised form of every edition.
struct BuildConfig {
    int edition = 5;
    General general;
    Framework framework;
    std::vector<KernelComponent> kernels; ///< in the file's order
    diag::SourceFilePtr file;

    /// Kernel sections of `backend`, in the file's order.
    std::vector<const KernelComponent*> kernels_of(model::Backend backend) const;
    bool has_backend(model::Backend backend) const;

    /// Data file extensions that the package ships besides .py and .pyi (`pyext` minus these two).
    std::vector<std::string> data_extensions() const;

    /// General python dependencies, then those of the backend (upstream.md 2.7).
    std::vector<std::string> python_depends(model::Backend backend) const;
    std::vector<KernelDependency> kernel_depends(model::Backend backend) const;
};

} // namespace kbuild::config
