#include "rules.hpp"

#include "kbuild/diag/finding.hpp"
#include "kbuild/sources/source_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace kbuild::check {
namespace {

using sources::SourceKind;

/// A list of flags with what messages call it.
struct FlagList {
    std::string key;
    const config::Strings& flags;
};

std::vector<FlagList> flag_lists(const config::BuildConfig& config) {
    const bool tvm = config.framework.kind == config::FrameworkKind::tvm_ffi;
    std::vector<FlagList> lists{
        {tvm ? "tvm-ffi.cxx-flags" : "torch.cxx-flags", config.framework.cxx_flags}};
    for (const auto& kernel : config.kernels) {
        const auto key = [&kernel](std::string_view name) {
            return fmt::format("kernel.{}.{}", kernel.name, name);
        };
        lists.push_back({key("cxx-flags"), kernel.cxx_flags});
        lists.push_back({key("hip-flags"), kernel.hip_flags});
        lists.push_back({key("cuda-flags"), kernel.cuda_flags});
        lists.push_back({key("sycl-flags"), kernel.sycl_flags});
    }
    return lists;
}

/// Flags that make a compiler load code or read files that nobody lists: what a build file from a
/// stranger must not do unseen.
std::string_view danger_of(std::string_view flag) {
    struct Danger {
        std::string_view prefix;
        std::string_view what;
    };
    constexpr std::string_view kLoads = "loads code into the compiler";
    constexpr std::string_view kReads = "reads a file that is not listed";
    constexpr std::string_view kReplaces = "replaces tools of the compiler";
    constexpr std::array kDangers = {Danger{"-fplugin", kLoads},
                                     Danger{"-fpass-plugin", kLoads},
                                     Danger{"-load", kLoads},
                                     Danger{"-Wl,-plugin", kLoads},
                                     Danger{"-Wl,--plugin", kLoads},
                                     Danger{"-wrapper", kReplaces},
                                     Danger{"-B", kReplaces},
                                     Danger{"-ccc-", kReplaces},
                                     Danger{"-fuse-ld=/", kReplaces},
                                     Danger{"--ld-path", kReplaces},
                                     Danger{"-specs", kReads},
                                     Danger{"--config", kReads},
                                     Danger{"@", kReads},
                                     Danger{"-include", kReads},
                                     Danger{"-imacros", kReads},
                                     Danger{"-fprofile-use", kReads},
                                     Danger{"-fprofile-instr-use", kReads},
                                     Danger{"-fmodule-file", kReads},
                                     Danger{"-fmodule-map-file", kReads},
                                     Danger{"-ivfsoverlay", kReads},
                                     Danger{"-Wl,-T", kReads},
                                     Danger{"-Wl,@", kReads},
                                     Danger{"-Wl,--version-script", kReads},
                                     Danger{"--embed-dir", kReads}};
    for (const auto& danger : kDangers)
        if (flag.starts_with(danger.prefix))
            return danger.what;
    return {};
}

void report_danger(const FlagList& list,
                   const config::Spanned<std::string>& flag,
                   std::string_view what,
                   diag::Sink& sink) {
    auto problem = mistake("K0412",
                           fmt::format("`{}` of `{}` {}", flag.value, list.key, what),
                           flag.span,
                           "refused unless it is accepted");
    problem.notes.emplace_back(
        "a build.toml may come from a stranger, so it cannot do that unseen");
    problem.help.emplace_back("leave it out, or accept it in kbuild.toml: `[check] allow = [{ code "
                              "= \"K0412\", reason = \"…\" }]`");
    sink.report(std::move(problem));
}

/// The folder that a flag names, if it names one: `-I/opt/x`, or the word after `-I`.
std::string_view path_of(std::string_view flag, std::string_view next) {
    for (const std::string_view option : {"-isystem",
                                          "-iquote",
                                          "-idirafter",
                                          "--sysroot=",
                                          "--rocm-path=",
                                          "--hip-path=",
                                          "-Wl,-rpath,",
                                          "-I",
                                          "-L"})
        if (flag.starts_with(option)) {
            flag.remove_prefix(option.size());
            return flag.empty() ? next : flag;
        }
    return flag.starts_with('/') && flag.ends_with(".a") ? flag : std::string_view();
}

void check_path(const FlagList& list, std::size_t index, diag::Sink& sink) {
    const auto& flag = list.flags[index];
    const auto next =
        index + 1 < list.flags.size() ? std::string_view(list.flags[index + 1].value) : "";
    if (!path_of(flag.value, next).starts_with('/'))
        return;
    auto problem = warning("K0411",
                           fmt::format("`{}` of `{}` names an absolute path", flag.value, list.key),
                           flag.span,
                           "is there on this machine only");
    problem.help.emplace_back(
        "copy what is needed into the project and name it in `include`, relative to build.toml");
    sink.report(std::move(problem));
}

/// 20 of `-std=c++20`, `-std=gnu++2a`; none for other flags.
std::optional<int> standard_of(std::string_view flag) {
    for (const std::string_view prefix : {"-std=c++", "-std=gnu++", "--std=c++", "--std=gnu++"}) {
        if (!flag.starts_with(prefix))
            continue;
        const auto name = flag.substr(prefix.size());
        constexpr std::array<std::pair<std::string_view, int>, 6> kOldNames = {
            {{"98", 3}, {"03", 3}, {"0x", 11}, {"1y", 14}, {"1z", 17}, {"2a", 20}}};
        for (const auto& [old, year] : kOldNames)
            if (name == old)
                return year;
        if (name == "2b")
            return 23;
        int year = 0;
        std::from_chars(name.data(), name.data() + name.size(), year);
        return year > 0 ? std::optional(year) : std::nullopt;
    }
    return std::nullopt;
}

/// What the headers of the newest torch that the bounds allow need (upstream.md 3.4).
int standard_needed(const config::BuildConfig& config, std::string& torch) {
    const auto twelve = *model::Version::parse("2.12");
    const auto& max = config.framework.versions.max;
    const bool old = max && *max < twelve;
    torch = old ? "before 2.12" : "2.12 and newer";
    return old ? 17 : 20;
}

void check_standard(const FlagList& list,
                    const config::BuildConfig& config,
                    const config::Spanned<std::string>& flag,
                    diag::Sink& sink) {
    const auto standard = standard_of(flag.value);
    std::string torch;
    const int needed = standard_needed(config, torch);
    if (!standard || *standard >= needed)
        return;
    auto problem = mistake(
        "K0410",
        fmt::format("`{}` of `{}` is older than what torch's headers need", flag.value, list.key),
        flag.span,
        fmt::format("torch {} needs C++{}", torch, needed));
    problem.help.emplace_back("leave it out: the standard follows the torch version");
    sink.report(std::move(problem));
}

/// Flags that are given to sources of one kind: their standard matters where one of these includes
/// torch's headers.
void check_standards(ProjectSources& sources,
                     const Section& section,
                     const FlagList& list,
                     SourceKind kind,
                     diag::Sink& sink) {
    const bool sets_one = std::any_of(list.flags.begin(), list.flags.end(), [](const auto& flag) {
        return standard_of(flag.value).has_value();
    });
    if (!sets_one ||
        std::none_of(section.files.begin(), section.files.end(), [&](const auto& file) {
            return file.kind == kind &&
                   sources::facts_of(sources.tree(), file.path, section.folders).torch;
        }))
        return;
    for (const auto& flag : list.flags)
        check_standard(list, sources.subject().config, flag, sink);
}

} // namespace

void check_flags(const Subject& subject, diag::Sink& sink) {
    const bool torch = subject.config.framework.kind == config::FrameworkKind::torch;
    for (const auto& list : flag_lists(subject.config))
        for (std::size_t i = 0; i < list.flags.size(); ++i) {
            const auto& flag = list.flags[i];
            if (const auto what = danger_of(flag.value); !what.empty())
                report_danger(list, flag, what, sink);
            else
                check_path(list, i, sink);
            // Kernels may do without torch's headers; those are looked at with their sources.
            if (torch && !list.key.starts_with("kernel."))
                check_standard(list, subject.config, flag, sink);
        }
}

void check_kernel_standards(ProjectSources& sources, diag::Sink& sink) {
    const auto& config = sources.subject().config;
    if (config.framework.kind != config::FrameworkKind::torch)
        return;
    for (const auto& section : sources.sections()) {
        if (section.kernel == nullptr)
            continue;
        const auto& kernel = *section.kernel;
        const FlagList host{fmt::format("kernel.{}.cxx-flags", kernel.name), kernel.cxx_flags};
        const FlagList device{fmt::format("kernel.{}.hip-flags", kernel.name), kernel.hip_flags};
        check_standards(sources, section, host, SourceKind::host, sink);
        check_standards(sources, section, device, SourceKind::device, sink);
    }
}

} // namespace kbuild::check
