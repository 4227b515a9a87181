#include "explain_variants.hpp"

#include "finding_json.hpp"

#include "kbuild/inspect/device_code.hpp"
#include "kbuild/layout/metadata.hpp"
#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/ui/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using model::GfxArch;
using support::ErrorKind;
using support::Result;

/// What is said of one folder.
struct Verdict {
    std::string name;
    bool accepted = false;
    bool taken = false;
    std::string reason; ///< against it; of a taken one: why it then fails
    std::string code;   ///< about GPU code: `gfx942`, `none for gfx942`
};

Result<model::Version> version_of(const std::string& text, const char* option) {
    const auto version = model::Version::parse(text);
    if (!version)
        return support::fail(ErrorKind::usage, fmt::format("`{} {}` is no version", option, text));
    return version->major_minor();
}

Result<std::optional<GfxArch>> gpu_of(const std::string& text) {
    if (text.empty())
        return std::optional<GfxArch>();
    auto arch = GfxArch::parse(text);
    if (!arch)
        return support::fail(
            ErrorKind::usage,
            fmt::format("`--gpu {}` is no architecture", text),
            "write it as `gfx942`, or as the GPU says it, `gfx942:sramecc+:xnack-`");
    return arch;
}

/// Whether code for `code` runs on a GPU: one processor, and no feature the other way round.
bool runs_on(const GfxArch& code, const GfxArch& gpu) {
    if (code.processor() != gpu.processor())
        return false;
    for (const auto& feature : support::split(code.features(), ':')) {
        if (feature.empty())
            continue;
        auto opposite = feature;
        opposite.back() = feature.back() == '+' ? '-' : '+';
        if (support::contains(gpu.features() + ":", ":" + opposite + ":"))
            return false;
    }
    return true;
}

/// The architectures that the libraries of a variant have code for.
Result<std::vector<GfxArch>> archs_in(const fs::path& folder) {
    KB_TRY_ASSIGN(files, support::list_files(folder));
    std::set<GfxArch> archs;
    for (const auto& file : files) {
        if (file.extension() != ".so")
            continue;
        KB_TRY_ASSIGN(code, inspect::read_device_code(folder / file));
        const auto some = code.archs();
        archs.insert(some.begin(), some.end());
    }
    return std::vector<GfxArch>(archs.begin(), archs.end());
}

/// What stops the loader once it has chosen: its checks of metadata.json, in its order.
std::string problem_of_metadata(const fs::path& folder, const std::optional<GfxArch>& gpu) {
    const auto text = support::read_file(folder / "metadata.json");
    if (!text)
        return "there is no `metadata.json`: the loader raises OSError";
    const auto metadata = layout::read_metadata(*text);
    if (!metadata)
        return fmt::format("`metadata.json`: {}: the loader raises ValueError",
                           metadata.error().message);
    if (!gpu || metadata->backend != model::Backend::rocm || !metadata->archs)
        return {};
    // The loader compares the processor with the whole names in metadata.json.
    const auto& archs = *metadata->archs;
    const bool listed = std::any_of(archs.begin(), archs.end(), [&gpu](const GfxArch& arch) {
        return arch.to_string() == gpu->processor();
    });
    return listed || archs.empty()
               ? std::string()
               : fmt::format("`metadata.json` lists {}: `get_kernel` refuses a {}",
                             model::to_string(archs),
                             gpu->processor());
}

/// Adds to an accepted variant what happens when it is loaded.
void look_inside(Verdict& verdict,
                 const publish::Decision& decision,
                 const fs::path& folder,
                 const std::optional<GfxArch>& gpu) {
    verdict.reason = problem_of_metadata(folder, gpu);
    if (decision.variant.backend != model::Backend::rocm ||
        decision.variant.framework == model::Variant::Framework::noarch)
        return;
    const auto archs = archs_in(folder);
    if (!archs) {
        verdict.code = "cannot be read";
        verdict.reason = verdict.reason.empty() ? archs.error().message : verdict.reason;
        return;
    }
    verdict.code = archs->empty() ? "none" : model::to_string(*archs);
    const bool has = !gpu || std::any_of(archs->begin(), archs->end(), [&gpu](const auto& arch) {
        return runs_on(arch, *gpu);
    });
    if (has)
        return;
    verdict.code = fmt::format("none for {}, for {}", gpu->to_string(), verdict.code);
    if (verdict.reason.empty())
        verdict.reason = "it loads, and each launch fails: there is no code for this GPU";
}

std::vector<Verdict> judge(const std::vector<fs::path>& folders,
                           const publish::Machine& machine,
                           const std::optional<GfxArch>& gpu) {
    std::vector<Verdict> verdicts;
    std::vector<model::Variant> variants;
    std::map<std::string, fs::path> places;
    std::vector<Verdict> unknown;
    for (const auto& folder : folders) {
        const auto name = layout::folder_name(folder);
        if (auto variant = model::Variant::parse(name))
            variants.push_back(std::move(*variant));
        else
            unknown.push_back(
                {name, false, false, "the loader takes no notice of such a name", {}});
        places[name] = folder;
    }
    for (const auto& decision : publish::decide(std::move(variants), machine)) {
        const auto name = decision.variant.name();
        Verdict verdict{
            name, decision.accepted, decision.accepted && verdicts.empty(), decision.reason, {}};
        if (decision.accepted)
            look_inside(verdict, decision, places[name], gpu);
        verdicts.push_back(std::move(verdict));
    }
    verdicts.insert(verdicts.end(), unknown.begin(), unknown.end());
    return verdicts;
}

std::string word_of(const Verdict& verdict) {
    if (!verdict.accepted)
        return "no";
    return verdict.taken ? "taken" : "fits, another one is preferred";
}

std::string to_text(const std::vector<Verdict>& verdicts, const std::string& machine) {
    std::vector<std::vector<std::string>> rows = {{"variant", "verdict", "GPU code", "because"}};
    for (const auto& verdict : verdicts)
        rows.push_back({verdict.name,
                        word_of(verdict),
                        verdict.code.empty() ? "-" : verdict.code,
                        verdict.reason});
    return fmt::format("on {}\n", machine) + ui::table(rows);
}

std::string to_json(const std::vector<Verdict>& verdicts, const std::string& machine) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& verdict : verdicts)
        list.push_back({{"name", verdict.name},
                        {"accepted", verdict.accepted},
                        {"taken", verdict.taken},
                        {"reason", verdict.reason},
                        {"code", verdict.code}});
    return json_text({{"schema", 1}, {"machine", machine}, {"variants", std::move(list)}});
}

} // namespace

void DescribedMachine::declare(Options& app) {
    app.value(torch,
              {.names = "--torch",
               .help = "which variant a machine with this torch loads, as 2.13",
               .type = "VERSION"});
    app.value(rocm, {.names = "--rocm", .help = "and this ROCm, as 7.2", .type = "VERSION"});
    app.value(
        python,
        {.names = "--python", .help = "and this Python, as 3.12 or 3.14t", .type = "VERSION"});
    app.value(gpu, {.names = "--gpu", .help = "and this GPU, as gfx942", .type = "ARCH"});
}

bool DescribedMachine::is_given() const {
    return !torch.empty() || !rocm.empty() || !python.empty() || !gpu.empty();
}

Result<publish::Machine> DescribedMachine::machine() const {
    publish::Machine machine;
    machine.cpu = std::string(model::host_cpu());
    if (!torch.empty()) {
        KB_TRY_ASSIGN(version, version_of(torch, "--torch"));
        machine.torch = version;
    }
    if (!rocm.empty()) {
        KB_TRY_ASSIGN(version, version_of(rocm, "--rocm"));
        machine.backend = model::Backend::rocm;
        machine.backend_version = version;
    }
    if (!python.empty()) {
        machine.free_threaded = python.ends_with('t');
        const auto digits = python.substr(0, python.size() - (machine.free_threaded ? 1 : 0));
        KB_TRY_ASSIGN(version, version_of(digits, "--python"));
        machine.python = version;
    }
    return machine;
}

Result<int> explain_variants(const Context& context,
                             const DescribedMachine& described,
                             const std::string& dir,
                             const std::string& format) {
    KB_TRY_ASSIGN(machine, described.machine());
    KB_TRY_ASSIGN(gpu, gpu_of(described.gpu));
    KB_TRY_ASSIGN(folders, layout::discover_folders(dir.empty() ? "." : dir));
    const auto verdicts = judge(folders, machine, gpu);
    auto name = machine.to_string();
    if (gpu)
        name += ", " + gpu->to_string();
    context.data(format == "json" ? to_json(verdicts, name) : to_text(verdicts, name));
    const auto taken = std::find_if(
        verdicts.begin(), verdicts.end(), [](const Verdict& verdict) { return verdict.taken; });
    if (taken == verdicts.end())
        return support::exit_code(ErrorKind::nothing);
    return taken->reason.empty() ? 0 : support::exit_code(ErrorKind::content);
}

} // namespace kbuild::cli
