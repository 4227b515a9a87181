#include "rebuild_check.hpp"

#include "variant_checks.hpp"

#include "kbuild/build/recorded_build.hpp"
#include "kbuild/diag/finding.hpp"
#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/process/runner.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/support/version_info.hpp"
#include "kbuild/toolchain/find.hpp"
#include "kbuild/verify/compare.hpp"

#include <fmt/format.h>

#include <array>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using build::RecordedBuild;
using support::Result;

void report(diag::Sink& sink,
            std::string code,
            std::string message,
            std::vector<std::string> notes,
            std::string help) {
    auto finding = diag::mistake(std::move(code), std::move(message), {}, {});
    finding.notes = std::move(notes);
    finding.help.push_back(std::move(help));
    sink.report(std::move(finding));
}

/// Fingerprints of the SDKs at hand, by name.
std::map<std::string, std::string> fingerprints(const toolchain::FoundSdks& sdks) {
    std::map<std::string, std::string> found;
    for (const auto& sdk : sdks.torch)
        found[sdk.name] = sdk.fingerprint;
    for (const auto& sdk : sdks.rocm)
        found[sdk.name] = sdk.fingerprint;
    return found;
}

/// Why the same bytes cannot be expected; empty if they can.
std::vector<std::string>
obstacles(const Context& context, const RecordedBuild& recorded, const fs::path& project) {
    auto reasons = build::changed_inputs(recorded, project);
    const auto here = fingerprints(sdks_at_hand(context));
    for (const auto& [name, fingerprint] : recorded.sdks) {
        const auto found = here.find(name);
        if (found == here.end())
            reasons.push_back(fmt::format("there is no SDK `{}` here", name));
        else if (found->second != fingerprint)
            reasons.push_back(fmt::format("the SDK `{}` here has another content", name));
    }
    if (const auto policy = policy_for({}, project); policy != recorded.policy)
        reasons.push_back(
            fmt::format("it was linked for {}, kbuild.toml says {}", recorded.policy, policy));
    return reasons;
}

/// The last part of an ops id, `_gemm_rocm_1a2b3c4` -> `1a2b3c4`; of a changed tree with its
/// `_dirty`.
std::string unique_part(const RecordedBuild& recorded) {
    const auto variant = model::Variant::parse(recorded.variant);
    const auto mark = fmt::format("_{}_", variant ? model::to_string(variant->backend) : "");
    const auto at = recorded.id.rfind(mark);
    return at == std::string::npos ? recorded.id : recorded.id.substr(at + mark.size());
}

Result<void> run_build(const RecordedBuild& recorded, const fs::path& copy) {
    process::Command command{"/proc/self/exe",
                             {"build",
                              copy.string(),
                              "--variant",
                              recorded.variant,
                              "--unique-id",
                              unique_part(recorded)},
                             copy,
                             process::clean_environment()};
    std::error_code code;
    if (auto self = fs::read_symlink(command.program, code); !code)
        command.program = std::move(self);
    for (const auto& arch : recorded.archs)
        command.arguments.insert(command.arguments.end(), {"--arch", arch});
    for (const auto* const name : {"XDG_DATA_HOME",
                                   "XDG_CACHE_HOME",
                                   "ROCM_PATH",
                                   "HIP_PATH",
                                   "KBUILD_OPT_DIR",
                                   "KBUILD_USR_DIR"})
        if (const auto value = support::environment(name))
            command.environment[name] = *value;
    KB_TRY(process::run_ok(command, support::ErrorKind::failed));
    return {};
}

/// Files other than those that name the commit, which a copy outside of the repository has not.
bool is_compared(const std::string& name) {
    return name != "metadata.json" && name != layout::kProvenanceName;
}

Result<std::vector<std::string>> compare(const fs::path& old_one, const fs::path& new_one) {
    KB_TRY_ASSIGN(names, support::list_files(old_one));
    std::vector<std::string> lines;
    for (const auto& file : names) {
        const auto name = file.generic_string();
        if (!is_compared(name))
            continue;
        if (!support::is_file(new_one / file)) {
            lines.push_back(fmt::format("`{}` is not made", name));
        } else if (file.extension() == ".so") {
            KB_TRY_ASSIGN(sections, verify::compare_libraries(old_one / file, new_one / file));
            for (const auto& section : sections)
                lines.push_back(fmt::format("`{}`: {}", name, section));
        } else {
            KB_TRY_ASSIGN(before, support::sha256_file(old_one / file));
            KB_TRY_ASSIGN(after, support::sha256_file(new_one / file));
            if (before != after)
                lines.push_back(fmt::format("`{}` has other bytes", name));
        }
    }
    return lines;
}

} // namespace

Result<void> copy_project(const fs::path& project, const fs::path& copy) {
    KB_TRY_ASSIGN(files, support::list_files(project));
    for (const auto& file : files) {
        const auto top = *file.begin();
        if (top == "build" || top == ".kbuild" || top == ".git" || top == "result")
            continue;
        KB_TRY(support::make_folder((copy / file).parent_path()));
        KB_TRY(support::copy_to(project / file, copy / file));
    }
    return {};
}

Result<void> check_rebuild(const Context& context,
                           const fs::path& project,
                           const fs::path& variant,
                           const fs::path& copy,
                           diag::Sink& sink) {
    const auto shown = support::display_path(variant);
    const auto refuse = [&](std::vector<std::string> reasons) {
        report(sink,
               "K0631",
               fmt::format("`{}` cannot be built again here", shown),
               std::move(reasons),
               "check out the commit that it says it is of, with the SDKs that it names");
    };
    const auto text = support::read_file(variant / layout::kProvenanceName);
    if (!text) {
        refuse({fmt::format("it has no `{}`", layout::kProvenanceName)});
        return {};
    }
    const auto recorded = build::read_recorded_build(*text);
    if (!recorded) {
        refuse({fmt::format("`{}`: {}", layout::kProvenanceName, recorded.error().message)});
        return {};
    }
    if (auto reasons = obstacles(context, *recorded, project); !reasons.empty()) {
        refuse(std::move(reasons));
        return {};
    }
    KB_TRY(run_build(*recorded, copy));
    KB_TRY_ASSIGN(differences, compare(variant, copy / "build" / recorded->variant));
    if (differences.empty()) {
        context.say(fmt::format("{}: built again, the same bytes", recorded->variant));
        return {};
    }
    differences.push_back(fmt::format("it was built by kbuild {}", recorded->builder));
    report(sink,
           "K0630",
           fmt::format("`{}` comes out otherwise when it is built again", shown),
           std::move(differences),
           "the compilers of the host that built it are listed in its build-provenance.json");
    return {};
}

} // namespace kbuild::cli
