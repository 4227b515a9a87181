#include "offered_names.hpp"

#include "host_libraries.hpp"

#include "kbuild/model/version.hpp"
#include "kbuild/support/strings.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace kbuild::portable {
namespace {

using Names = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view name, Names names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

model::Version number_of(const elf::Symbol& symbol) {
    const auto version = abi::parse_symbol_version(symbol.version);
    return version ? model::Version::parse(version->number).value_or(model::Version())
                   : model::Version();
}

/// The versions of one name in one library.
struct Candidates {
    std::optional<elf::Symbol> best; ///< the newest allowed one
    std::optional<elf::Symbol> oldest_beyond;
};

std::map<std::string, Candidates> candidates_of(const std::vector<elf::Symbol>& symbols,
                                                const abi::ManylinuxPolicy& policy) {
    std::map<std::string, Candidates> found;
    for (const auto& symbol : symbols) {
        // Versions define absolute symbols of their own name.
        if (!symbol.defined || symbol.name.empty() || symbol.name == symbol.version)
            continue;
        const auto verdict = abi::judge(policy, symbol.version);
        if (verdict == abi::Verdict::not_known)
            continue;
        auto& entry = found[symbol.name];
        if (verdict == abi::Verdict::allowed) {
            if (!entry.best || number_of(*entry.best) < number_of(symbol))
                entry.best = symbol;
        } else if (!entry.oldest_beyond || number_of(symbol) < number_of(*entry.oldest_beyond)) {
            entry.oldest_beyond = symbol;
        }
    }
    return found;
}

/// Whether glibc 2.34 moved a name into libc without giving it a new version there.
bool moved_silently(std::string_view name) {
    return support::starts_with_any(name,
                                    {"__pthread_once",
                                     "__pthread_getspecific",
                                     "__pthread_setspecific",
                                     "__pthread_mutex",
                                     "__pthread_rwlock",
                                     "__pthread_register_cancel",
                                     "__pthread_unregister_cancel",
                                     "_pthread_cleanup_",
                                     "__res_",
                                     "__dn_"}) ||
           is_one_of(name, {"pthread_atfork", "pthread_yield"}) ||
           (name.starts_with("pthread_") && name.ends_with("_np"));
}

/// The library that a name was in before glibc 2.34; empty for names that are not offered, since
/// what links by them today would mean something else (crt1.o hands __libc_start_main no
/// constructors) or needs a library without a stub (libresolv, libanl).
std::string home_before_2_34(std::string_view name) {
    if (is_one_of(name,
                  {"dlopen",
                   "dlsym",
                   "dlvsym",
                   "dlclose",
                   "dlerror",
                   "dladdr",
                   "dladdr1",
                   "dlinfo",
                   "dlmopen"}))
        return "libdl.so.2";
    if (support::starts_with_any(name, {"aio_", "lio_", "mq_", "__mq_", "shm_", "timer_"}))
        return "librt.so.1";
    if (is_one_of(name, {"openpty", "forkpty", "login", "login_tty", "logout", "logwtmp"}))
        return "libutil.so.1";
    if (name == "__isnanf128")
        return "libm.so.6";
    if (support::starts_with_any(name, {"gai_", "ns_name_", "__res_", "__dn_"}) ||
        is_one_of(name, {"getaddrinfo_a", "__libc_start_main"}))
        return {};
    if (support::starts_with_any(name,
                                 {"pthread_",
                                  "_pthread_",
                                  "__pthread_",
                                  "sem_",
                                  "thrd_",
                                  "mtx_",
                                  "cnd_",
                                  "tss_",
                                  "call_once"}))
        return "libpthread.so.0";
    return kLibc;
}

/// What libgcc_s.so.1 is needed for: there must be one unwinder in a process. All else is in
/// libgcc.a as well, where it does not depend on the system's version.
bool is_unwinder(std::string_view name) {
    return support::starts_with_any(name, {"_Unwind_", "__register_frame", "__deregister_frame"}) ||
           is_one_of(name, {"__gcc_personality_v0", "__emutls_get_address"});
}

std::string
home_of(const std::string& library, const std::string& name, bool has_newer, bool split_glibc) {
    if (library == kLibgcc && !is_unwinder(name))
        return {};
    if (library == kLibc && split_glibc && (has_newer || moved_silently(name)))
        return home_before_2_34(name);
    if (library == kLibc && name == "__libc_start_main")
        return {};
    return library;
}

bool has_split_glibc(const abi::ManylinuxPolicy& policy) {
    const auto glibc = model::Version::parse(policy.newest("GLIBC"));
    return glibc && *glibc < model::Version({2, 34});
}

} // namespace

LibrarySymbols offered_names(const LibrarySymbols& host, const abi::ManylinuxPolicy& policy) {
    LibrarySymbols offered;
    for (const auto& soname : stub_sonames())
        offered[soname];
    const bool split = has_split_glibc(policy);
    for (const auto& [library, symbols] : host)
        for (auto& [name, entry] : candidates_of(symbols, policy)) {
            if (!entry.best || support::contains(name, "_version_placeholder"))
                continue;
            const auto home = home_of(library, name, entry.oldest_beyond.has_value(), split);
            if (!home.empty())
                offered[home].push_back(*entry.best);
        }
    for (auto& [library, symbols] : offered) {
        std::sort(symbols.begin(), symbols.end());
        const auto same_name = [](const auto& a, const auto& b) { return a.name == b.name; };
        symbols.erase(std::unique(symbols.begin(), symbols.end(), same_name), symbols.end());
    }
    return offered;
}

std::map<std::string, NewerName> names_beyond(const LibrarySymbols& host,
                                              const abi::ManylinuxPolicy& policy) {
    std::map<std::string, NewerName> newer;
    for (const auto& [library, symbols] : host)
        for (const auto& [name, entry] : candidates_of(symbols, policy))
            if (!entry.best && entry.oldest_beyond)
                newer[name] = {library, entry.oldest_beyond->version};
    return newer;
}

} // namespace kbuild::portable
