#pragma once

#include "kbuild/abi/manylinux.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::portable {

/// What a library is linked with so that it can be loaded on systems older than this one: stubs of
/// glibc and libstdc++ that offer the names of a policy only, and static libraries with what newer
/// headers refer to beyond that (docs/decisions/0030).
struct Baseline {
    std::filesystem::path folder; ///< for `-L`, before all others
    /// In link order, before torch's libraries: the supplements, and the C++ library itself, since
    /// libtorch_cpu exports copies of some of its names.
    std::vector<std::filesystem::path> first;
};

struct BaselineRequest {
    abi::ManylinuxPolicy policy;
    std::filesystem::path cxx; ///< the compiler that links
    std::filesystem::path c;   ///< its C driver
};

using OnProgress = std::function<void(const std::string&)>;

/// The baseline of a compiler and a policy, from `store` or made there: once per content of the
/// compiler's libraries, whole or not at all. An Error of kind `toolchain` says why this compiler's
/// libraries cannot be made portable.
support::Result<Baseline> ensure_baseline(const std::filesystem::path& store,
                                          const BaselineRequest& request,
                                          const OnProgress& on_progress = {});

/// What ensure_baseline() names its folders with.
inline constexpr std::string_view kBaselinePrefix = "baseline-";

/// The names of the baselines in `store`, sorted.
std::vector<std::string> baselines_in(const std::filesystem::path& store);

/// Removes one; the next build that needs it makes it again. An Error of kind `usage` if it is not
/// there.
support::Result<void> remove_baseline(const std::filesystem::path& store, const std::string& name);

/// A name that this machine's libraries have and the policy does not.
struct NewerName {
    std::string library; ///< `libc.so.6`
    std::string version; ///< the oldest one that has it: `GLIBC_2.32`
};

/// All of them, by name; kept with the baseline.
support::Result<std::map<std::string, NewerName>> newer_names(const Baseline& baseline);

} // namespace kbuild::portable
