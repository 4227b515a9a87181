#pragma once

#include "kbuild/elf/object_file.hpp"
#include "kbuild/support/result.hpp"

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::portable {

using Names = std::set<std::string, std::less<>>;

/// Whether a member of libstdc++.a was read and may stand in each library. What other members
/// define is not put into libraries: code that needs it does not link, and is told the name. The
/// name is not all: state that a member has, statics of files and functions as well, is compared
/// with what was read, so that another version's member of the same name is not taken on trust.
bool is_reviewed_member(std::string_view member);

/// What decides which parts of libstdc++.a go into every library that is linked.
struct SupplementInputs {
    Names baseline; ///< names that the oldest libstdc++.so.6 has: theirs is used, never a copy
    Names newer;    ///< names that the host's libstdc++.so.6 has beyond that
    std::function<bool(std::string_view)> is_reviewed = is_reviewed_member;
};

/// Names that are defined by hand in templates/portable/libstdcxx_supplement.c where a baseline
/// lacks them.
bool is_made_by_hand(std::string_view name);

/// The members of libstdc++.a that define some newer name, and those that these need, changed so
/// that names of the baseline are undefined in them and all others hidden; in the archive's order.
/// An Error of kind `toolchain` if one of them brings state that is not known to be harmless: two
/// copies of it may go wrong without a word.
support::Result<std::vector<elf::Member>> supplement_members(std::vector<elf::Member> archive,
                                                             const SupplementInputs& inputs);

} // namespace kbuild::portable
