#include "kbuild/build/stage.hpp"

#include "provenance.hpp"
#include "undefined_names.hpp"

#include "kbuild/build/identity.hpp"
#include "kbuild/inspect/budget.hpp"
#include "kbuild/inspect/device_code.hpp"
#include "kbuild/layout/staging.hpp"
#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/support/version_info.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::build {
namespace {

namespace fs = std::filesystem;
using support::Result;

/// Whether a file of torch-ext/<module> belongs into a variant: Python files and the `pyext` of
/// build.toml. Type stubs and bytecode never do (upstream.md 3.7).
bool is_shipped(const fs::path& file, const std::vector<std::string>& data_extensions) {
    for (const auto& part : file)
        if (part == "__pycache__")
            return false;
    const auto extension = file.extension().string();
    if (extension == ".py")
        return true;
    return !extension.empty() &&
           std::find(data_extensions.begin(), data_extensions.end(), extension.substr(1)) !=
               data_extensions.end();
}

Result<void>
copy_package(const config::BuildConfig& config, const fs::path& root, const fs::path& stage) {
    const auto package = root / "torch-ext" / config.general.name.value.module();
    const auto data_extensions = config.data_extensions();
    KB_TRY_ASSIGN(files, support::list_files(package));
    for (const auto& file : files)
        if (is_shipped(file, data_extensions))
            KB_TRY(support::copy_to(package / file, stage / file));
    return {};
}

std::vector<layout::KernelDependencyEntry> dependencies(const config::BuildConfig& config,
                                                        model::Backend backend) {
    std::vector<layout::KernelDependencyEntry> entries;
    for (const auto& dependency : config.kernel_depends(backend))
        entries.push_back({dependency.repo_id, dependency.version, dependency.revision});
    return entries;
}

std::string describe(const model::TorchSdk& torch) {
    return fmt::format(
        "torch {} ({}, {})", torch.full_version, torch.provider, to_string(torch.origin));
}

std::string describe(const model::RocmSdk& rocm) {
    return fmt::format("HIP {} ({}, {}{})",
                       rocm.full_version,
                       rocm.provider,
                       to_string(rocm.origin),
                       rocm.origin_note.empty() ? "" : ": " + rocm.origin_note);
}

layout::Provenance provenance(const PlannedVariant& variant, const StageInputs& inputs) {
    const auto builder = support::version_info();
    layout::Provenance result;
    result.builder_version = builder.version;
    if (!builder.commit.empty())
        result.builder_commit = layout::CommitState{std::string(builder.commit), builder.dirty};
    result.kernel = inputs.kernel_commit;
    if (variant.selected.torch != nullptr)
        result.torch_sdk = describe(*variant.selected.torch);
    if (variant.selected.rocm != nullptr)
        result.rocm_sdk = describe(*variant.selected.rocm);
    return result;
}

/// What a package of Python files says it supports: nothing can be read from a library.
std::vector<model::GfxArch> declared_archs(const config::BuildConfig& config,
                                           model::Backend backend) {
    std::vector<model::GfxArch> archs;
    if (backend == model::Backend::rocm)
        for (const auto& name : config.framework.rocm_archs)
            if (const auto arch = model::GfxArch::parse(name.value))
                archs.push_back(*arch);
    std::sort(archs.begin(), archs.end());
    archs.erase(std::unique(archs.begin(), archs.end()), archs.end());
    return archs;
}

Result<layout::Metadata> make_metadata(const PlannedVariant& variant,
                                       const config::BuildConfig& config,
                                       const StageInputs& inputs,
                                       const fs::path& stage) {
    const auto backend = variant.selected.variant.backend;
    layout::Metadata metadata;
    metadata.name = config.general.name.value.text();
    metadata.id = variant.ops_id;
    metadata.version = config.general.version;
    metadata.license = config.general.license;
    metadata.upstream = config.general.upstream;
    metadata.source = config.general.source;
    metadata.python_depends = config.python_depends(backend);
    metadata.kernel_depends = dependencies(config, backend);
    metadata.backend = backend;
    if (variant.library.empty()) {
        metadata.archs = declared_archs(config, backend);
    } else if (backend == model::Backend::rocm) {
        KB_TRY_ASSIGN(code, inspect::read_device_code(stage / variant.library.filename()));
        metadata.archs = code.archs();
    }
    KB_TRY_ASSIGN(digest, layout::digest_folder(stage));
    metadata.digest = std::move(digest);
    metadata.provenance = provenance(variant, inputs);
    return metadata;
}

Result<std::vector<HashedFile>> hash_files(const fs::path& folder,
                                           const std::vector<fs::path>& names) {
    std::vector<HashedFile> files;
    for (const auto& name : names) {
        KB_TRY_ASSIGN(digest, support::sha256_file(folder / name));
        files.emplace_back(name.generic_string(), support::to_hex(digest));
    }
    return files;
}

/// Last but metadata.json, so that it can name the bytes of all other files.
Result<void> write_provenance(const PlannedVariant& variant,
                              const config::BuildConfig& config,
                              const StageInputs& inputs,
                              const fs::path& stage) {
    ProvenanceFacts facts{variant, inputs.policy, {}, {}, {}, {}, inputs.kernel_commit, {}};
    if (inputs.baseline)
        facts.baseline = inputs.baseline->folder.filename().string();
    if (const auto found = inputs.commands.find(variant.target); found != inputs.commands.end())
        facts.commands = found->second;
    if (!variant.library.empty())
        facts.compilers = compilers_of(stage / variant.library.filename());
    KB_TRY_ASSIGN(sources, input_files(inputs.root, config));
    KB_TRY_ASSIGN(hashed_inputs, hash_files(inputs.root, {sources.begin(), sources.end()}));
    facts.inputs = std::move(hashed_inputs);
    KB_TRY_ASSIGN(names, support::list_files(stage));
    KB_TRY_ASSIGN(files, hash_files(stage, names));
    facts.files = std::move(files);
    KB_TRY_ASSIGN(text, provenance_text(facts));
    return support::write_file_atomically(stage / layout::kProvenanceName, text);
}

verify::Expectations
expectations(const PlannedVariant& variant, const StageInputs& inputs, const fs::path& target) {
    verify::Expectations expected;
    expected.policy = inputs.policy;
    expected.build_folders = {inputs.root};
    if (variant.selected.torch != nullptr)
        expected.build_folders.push_back(variant.selected.torch->root);
    if (variant.selected.rocm != nullptr)
        expected.build_folders.push_back(variant.selected.rocm->root);
    expected.shown_as = target;
    expected.variant = variant.selected.variant; // the staged folder has another name
    expected.archs = variant.archs;
    if (variant.selected.torch != nullptr)
        expected.torch_symbols = variant.selected.torch->symbols_dir;
    if (variant.selected.rocm != nullptr)
        expected.hip_soname = variant.selected.rocm->hip_soname;
    return expected;
}

/// Reports what of the staged library exceeds the project's budgets.
Result<void> check_library_budgets(const PlannedVariant& variant,
                                   const std::vector<model::Budget>& budgets,
                                   const fs::path& stage,
                                   diag::Sink& sink) {
    if (variant.library.empty() || budgets.empty())
        return {};
    const auto library = stage / variant.library.filename();
    KB_TRY_ASSIGN(code, inspect::read_device_code(library));
    const auto shown =
        (fs::path(variant.selected.variant.name()) / variant.library.filename()).string();
    inspect::check_budgets(code, support::size_of_file(library), budgets, shown, sink);
    return {};
}

/// Whether two folders hold the same files with the same bytes.
Result<bool> same_content(const fs::path& a, const fs::path& b) {
    KB_TRY_ASSIGN(a_files, support::list_files(a));
    KB_TRY_ASSIGN(b_files, support::list_files(b));
    if (a_files != b_files)
        return false;
    for (const auto& file : a_files) {
        KB_TRY_ASSIGN(a_text, support::read_file(a / file));
        KB_TRY_ASSIGN(b_text, support::read_file(b / file));
        if (a_text != b_text)
            return false;
    }
    return true;
}

/// Names that no library exports may be names that older systems lack; then that is said as well.
Result<void> explain_unresolved(const verify::VariantFacts& facts,
                                const PlannedVariant& variant,
                                const WorkFolder& folder,
                                const StageInputs& inputs,
                                diag::Sink& sink) {
    if (facts.unresolved.empty() || !inputs.baseline)
        return {};
    KB_TRY_ASSIGN(
        findings,
        explain_undefined(facts.unresolved, variant, *inputs.baseline, folder, inputs.tools));
    for (auto& finding : findings)
        sink.report(std::move(finding));
    return {};
}

} // namespace

Result<std::optional<Published>> stage_and_publish(const PlannedVariant& variant,
                                                   const config::BuildConfig& config,
                                                   const WorkFolder& folder,
                                                   const StageInputs& inputs,
                                                   diag::Sink& sink) {
    const auto name = variant.selected.variant.name();
    const auto target = inputs.root / "build" / name;
    KB_TRY_ASSIGN(staged, layout::stage_folder(folder.stage, name));
    const auto& stage = staged.path();
    KB_TRY(copy_package(config, inputs.root, stage));
    if (!variant.library.empty())
        KB_TRY(support::copy_to(variant.library, stage / variant.library.filename()));
    KB_TRY(support::write_file_atomically(stage / "_ops.py",
                                          variant.library.empty()
                                              ? layout::noarch_ops_py(variant.ops_id)
                                              : layout::ops_py(variant.ops_id)));
    KB_TRY(write_provenance(variant, config, inputs, stage));
    KB_TRY_ASSIGN(metadata, make_metadata(variant, config, inputs, stage));
    KB_TRY(
        support::write_file_atomically(stage / "metadata.json", layout::write_metadata(metadata)));

    diag::Collector findings;
    KB_TRY_ASSIGN(facts,
                  verify::verify_variant(stage, expectations(variant, inputs, target), findings));
    KB_TRY(explain_unresolved(facts, variant, folder, inputs, findings));
    KB_TRY(check_library_budgets(variant, inputs.budgets, stage, findings));
    for (auto& finding : findings.sorted())
        sink.report(std::move(finding));
    if (findings.has_errors())
        return std::optional<Published>();

    KB_TRY_ASSIGN(same, same_content(stage, target));
    if (!same)
        KB_TRY(layout::publish(std::move(staged), target));
    return std::optional(Published{target, same, std::move(facts)});
}

} // namespace kbuild::build
