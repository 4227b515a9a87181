#include "cxx_supplement.hpp"

#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace kbuild::portable {
namespace {

using elf::Member;
using elf::ObjectSymbol;
using elf::Visibility;
using support::ErrorKind;
using support::Result;

/// Names that no copy may define: with `std::locale::id` they are state by themselves (facets for
/// char8_t), or they read what another version of libstdc++ wrote. Where code needs one that is not
/// made by hand, the link fails with its name.
bool is_refused(std::string_view name) {
    return is_made_by_hand(name) || support::contains(name, "7codecvtIDi") ||
           support::contains(name, "7codecvtIDs") || support::contains(name, "7codecvtIDu");
}

/// State that may be there twice, by its mangled name as GCC 12 to 14 write it; each was read in
/// the sources of GCC 12 and, where it came later, of 13.
const Names& harmless_state() {
    static const Names harmless = {
        // Nothing that stays after --gc-sections uses the copy.
        "_ZN10__cxxabiv119__terminate_handlerE",
        "_ZN10__cxxabiv120__unexpected_handlerE",
        // What the kernel was found to lack: each copy finds it out for itself.
        "_ZNSt12_GLOBAL__N_132futex_clock_realtime_unavailableE",
        "_ZNSt12_GLOBAL__N_133futex_clock_monotonic_unavailableE",
        // The copy's category stands in no error that another library throws (decision 0030).
        "_ZN12_GLOBAL__N_120io_category_instanceE",
        // One default resource per library, which decision 0030 says.
        "_ZNSt3pmr12_GLOBAL__N_110newdel_resE",
        "_ZNSt3pmr12_GLOBAL__N_111default_resE",
        "_ZNSt3pmr12_GLOBAL__N_18null_resE",
        // Mutexes of atomic operations on shared_ptr, which C++20 replaces, and since GCC 13 their
        // memory; the names that take them are the baseline's, so the copy's are taken by none.
        "_ZGVZN14__gnu_internal9get_mutexEhE1m",
        "_ZZN14__gnu_internal9get_mutexEhE1m",
        "_ZZN14__gnu_internal9get_mutexEhE6buffer",
        // Since GCC 13: a constant that is volatile, so that the rounding of the moment is seen.
        "_ZZN12_GLOBAL__N_110fast_float6detail17rounds_to_nearestEvE4fmin"};
    return harmless;
}

/// GCC 15 puts an `L` before the length of a name with internal linkage: `N_1L8null_resE`.
std::string without_linkage(std::string_view mangled) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    std::string plain;
    for (std::size_t at = 0; at < mangled.size(); ++at) {
        const bool marks =
            mangled[at] == 'L' && at > 0 && at + 1 < mangled.size() && is_digit(mangled[at + 1]);
        if (!marks)
            plain += mangled[at];
    }
    return plain;
}

bool is_harmless_state(std::string_view name) {
    return harmless_state().contains(name) || harmless_state().contains(without_linkage(name));
}

/// What a member offers and asks for once it is changed.
struct Role {
    std::vector<std::string> defines;
    std::vector<std::string> needs;
    std::vector<std::string> state;
};

bool stays_outside(const ObjectSymbol& symbol, const Names& baseline) {
    return !symbol.defined || baseline.contains(symbol.name) || is_refused(symbol.name);
}

Result<Role> role_of(const Member& member, const SupplementInputs& inputs) {
    KB_TRY_ASSIGN(symbols, elf::read_object_symbols(member.bytes, member.name));
    Role role;
    if (!inputs.is_reviewed(member.name))
        return role;
    for (const auto& symbol : symbols) {
        if (stays_outside(symbol, inputs.baseline)) {
            role.needs.push_back(symbol.name);
            continue;
        }
        role.defines.push_back(symbol.name);
        if (symbol.state && !is_harmless_state(symbol.name))
            role.state.push_back(symbol.name);
    }
    KB_TRY_ASSIGN(hidden, elf::read_local_state(member.bytes, member.name));
    for (auto& name : hidden)
        if (!is_harmless_state(name))
            role.state.push_back(std::move(name));
    return role;
}

/// Which members are kept: those with a wanted name, then those with names that these need.
std::set<std::size_t> closure(const std::vector<Role>& roles, const Names& newer) {
    std::map<std::string, std::size_t, std::less<>> home;
    for (std::size_t index = 0; index < roles.size(); ++index)
        for (const auto& name : roles[index].defines)
            home.emplace(name, index);
    std::vector<std::string> open(newer.begin(), newer.end());
    std::set<std::size_t> kept;
    while (!open.empty()) {
        const auto found = home.find(open.back());
        open.pop_back();
        if (found == home.end() || !kept.insert(found->second).second)
            continue;
        const auto& needs = roles[found->second].needs;
        open.insert(open.end(), needs.begin(), needs.end());
    }
    return kept;
}

Result<void> refuse_state(const std::vector<Member>& archive,
                          const std::vector<Role>& roles,
                          const std::set<std::size_t>& kept) {
    for (const auto index : kept)
        if (!roles[index].state.empty())
            return support::fail(
                ErrorKind::toolchain,
                fmt::format(
                    "this version of libstdc++ cannot be made portable: `{}` in its libstdc++.a "
                    "has state that a process must have only once (`{}`)",
                    archive[index].name,
                    roles[index].state.front()),
                "use one of g++ 12 to 16 (`[build] host-cxx` in kbuild.toml), or `[build] policy = "
                "\"none\"`");
    return {};
}

} // namespace

bool is_made_by_hand(std::string_view name) {
    return name == "_ZNKSt13random_device13_M_getentropyEv" ||
           name == "_ZSt21ios_base_library_initv";
}

bool is_reviewed_member(std::string_view member) {
    // Members of one name are told apart by libtool: `lt4-string-inst.o`.
    if (const auto dash = member.find('-'); member.starts_with("lt") && dash == 3)
        member.remove_prefix(4);
    if (member.starts_with("cow-"))
        member.remove_prefix(4);
    if (member.starts_with("cxx11-"))
        member.remove_prefix(6);
    static const Names reviewed = {"assert_fail.o",
                                   "basic_file.o",
                                   "debug.o",
                                   "eh_call.o",
                                   "eh_ptr.o",
                                   "eh_term_handler.o",
                                   "eh_terminate.o",
                                   "eh_unex_handler.o",
                                   "floating_from_chars.o",
                                   "floating_to_chars.o",
                                   "format-inst.o",
                                   "fs_dir.o",
                                   "fs_ops.o",
                                   "fs_path.o",
                                   "functexcept.o",
                                   "fundamental_type_info.o",
                                   "futex.o",
                                   "ios_failure.o",
                                   "istream-inst.o",
                                   "istream.o",
                                   "limits.o",
                                   "locale-inst.o",
                                   "locale_facets.o",
                                   "memory_resource.o",
                                   "monetary_members_cow.o",
                                   "numeric_members_cow.o",
                                   "ostream-inst.o",
                                   "random.o",
                                   "shared_ptr.o",
                                   "snprintf_lite.o",
                                   "sso_string.o",
                                   "sstream-inst.o",
                                   "stdexcept.o",
                                   "string-inst.o",
                                   "wlocale-inst.o",
                                   "wstring-inst.o"};
    return reviewed.contains(member);
}

Result<std::vector<Member>> supplement_members(std::vector<Member> archive,
                                               const SupplementInputs& inputs) {
    std::vector<Role> roles;
    for (const auto& member : archive) {
        KB_TRY_ASSIGN(role, role_of(member, inputs));
        roles.push_back(std::move(role));
    }
    const auto kept = closure(roles, inputs.newer);
    KB_TRY(refuse_state(archive, roles, kept));
    std::vector<Member> members;
    for (const auto index : kept) {
        auto& member = archive[index];
        KB_TRY(elf::change_visibility(member.bytes, member.name, [&](const ObjectSymbol& symbol) {
            if (!stays_outside(symbol, inputs.baseline))
                return Visibility::hidden;
            return symbol.defined ? Visibility::undefined : Visibility::unchanged;
        }));
        members.push_back(std::move(member));
    }
    return members;
}

} // namespace kbuild::portable
