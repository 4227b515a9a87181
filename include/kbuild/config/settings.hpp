#pragma once

#include "kbuild/config/build_config.hpp"
#include "kbuild/model/budget.hpp"
#include "kbuild/model/sdk_sources.hpp"
#include "kbuild/model/version.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kbuild::config {

/// Which compiler driver compiles HIP (product.md 4).
enum class Driver { automatic, hipcc, amdclang, clang };

/// An entry of `[check] allow`: findings that the author has looked at and accepts.
struct Allowance {
    std::string code;
    std::string path; ///< of the file that the finding is in, a shell pattern; empty: any
    std::string reason;
    diag::SourceSpan span;
};

/// kbuild.toml: kbuild's own settings, which never go into build.toml. Every key is optional.
struct Settings {
    /// `[matrix] torch = […] rocm = […]`: a promise; every pair must be buildable.
    std::optional<std::vector<Spanned<model::Version>>> matrix_torch;
    std::optional<std::vector<Spanned<model::Version>>> matrix_rocm;
    bool fetch = false; ///< `[toolchain] fetch`
    /// `[toolchain] index-url`, `[[toolchain.rocm]]`, `[[toolchain.torch]]`; what commands get has
    /// those of the user's config.toml before it (sdk_sources.hpp).
    model::SdkSources sources;
    /// `[toolchain] extra`: libraries of ROCm whose headers a fetched SDK is to have besides the
    /// usual ones.
    std::vector<std::string> extra_libraries;
    std::vector<std::string> hipify_keep; ///< `[hipify] keep`: files (patterns) never converted
    Driver driver = Driver::automatic;    ///< `[build] driver = "auto|hipcc|amdclang++|clang++"`
    std::string host_cxx;                 ///< `[build] host-cxx`; empty: chosen by kbuild
    /// `[build] policy`: how old a system built libraries can be loaded on; a manylinux policy, or
    /// `none`.
    std::string policy = "manylinux_2_28";
    std::string launcher = "auto"; ///< `[cache] launcher`: `auto`, `none`, or a ccache
    std::string cache_remote;      ///< `[cache] remote`: `redis://…` or `http://…`; empty: none
    std::vector<Allowance> allow;  ///< `[check] allow = [{ code, path, reason }]`
    /// `[budget]`, then its patterns in the file's order; empty without the table.
    std::vector<model::Budget> budgets;
    Strings emulated_tests; ///< `[test] emulate`: C++ programs that `build --emulate` runs
    Strings test_programs;  ///< `[test] programs`: C++ programs that `kbuild test` runs
    bool has_matrix() const { return matrix_torch.has_value() || matrix_rocm.has_value(); }
};

} // namespace kbuild::config
