#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::abi {

/// What a Linux system of a certain age promises (PEP 600): data/abi/manylinux.json, which is made
/// from auditwheel's policies by scripts/update_abi_data.
struct ManylinuxPolicy {
    std::string name; ///< `manylinux_2_28`
    /// Version family (`GLIBC`) to its versions that are there (`2.28`, also words: `TM_1`).
    std::map<std::string, std::set<std::string>> versions;
    std::set<std::string> libraries; ///< SONAMEs that may be needed
    std::string source;              ///< what the data is from: `auditwheel 6.8.2`
    std::string date;                ///< and when: `2026-12-01`

    /// The newest numbered version of a family; `2.28`.
    std::string newest(const std::string& family) const;
};

/// A symbol version taken apart: `GLIBC_2.28` is family GLIBC, number 2.28.
struct SymbolVersion {
    std::string family;
    std::string number;
};

/// None where `text` has no `_`, as in `libfoo.so.1`.
std::optional<SymbolVersion> parse_symbol_version(std::string_view text);

enum class Verdict {
    allowed,
    too_new,  ///< of a family that the policy knows, but not one of its versions
    not_known ///< of another family: the policy says nothing about it
};

Verdict judge(const ManylinuxPolicy& policy, std::string_view symbol_version);

/// Names that a policy can have here, oldest first.
std::vector<std::string> manylinux_policies();

/// `cpu` as in variant names (`x86_64`); none for a name or CPU that the data does not have.
std::optional<ManylinuxPolicy> manylinux_policy(std::string_view name, const std::string& cpu);

} // namespace kbuild::abi
