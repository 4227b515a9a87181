#include "kbuild/build/plan.hpp"

#include "compile_options.hpp"
#include "units.hpp"

#include "kbuild/generate/writable.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/file_state.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace kbuild::build {
namespace {

namespace fs = std::filesystem;
using generate::Library;
using generate::Module;
using generate::Tree;
using model::Backend;
using model::GfxArch;

const Conversions kNoConversions;

/// A component of one backend with its units.
struct Section {
    Component component;
    std::vector<Unit> units;
};

std::string torch_tag(const model::TorchSdk& torch) {
    return "torch" + torch.short_version().compact();
}

std::string rocm_tag(const model::RocmSdk& rocm) {
    return "rocm" + rocm.short_version().compact();
}

/// Builds up the plan; each member function adds one kind of thing.
class Planner {
  public:
    Planner(const config::BuildConfig& config, const PlanInputs& inputs, diag::Sink& sink)
        : config_(config), inputs_(inputs), options_(config, inputs), sink_(sink) {
        host_.name = "host";
        host_.cxx = inputs.tools.cxx.string();
        // Another compiler under the same name is another compiler.
        host_.fingerprint = host_.cxx + " " + support::identity_of_program(host_.cxx);
        host_.launcher = launcher(host_.name, {});
        host_.link_launcher = inputs.link_launcher;
    }

    void add_variant(const matrix::Selected& selected) {
        const auto backend = selected.variant.backend;
        if (selected.variant.framework == model::Variant::Framework::noarch) {
            plan_.variants.push_back({selected, ops_id(backend), {}, {}, {}});
            return;
        }
        Module module;
        module.name = fmt::format("module_{}_{}",
                                  torch_tag(*selected.torch),
                                  selected.rocm ? rocm_tag(*selected.rocm) : "cpu");
        module.output_name = ops_id(backend) + ".abi3";
        std::set<GfxArch> archs;
        for (const auto& section : sections(selected)) {
            for (const auto scope : {UnitScope::backend, UnitScope::torch})
                add_host_library(section, scope, selected, module);
            for (const auto scope : {UnitScope::rocm, UnitScope::rocm_torch})
                add_device_library(section, scope, selected, module);
            if (selected.rocm)
                for (const auto& arch : archs_of(section, *selected.rocm))
                    archs.insert(arch);
        }
        module.link_files = options_.link_files(selected);
        module.link_options = options_.link_options();
        host_.modules.push_back(module);
        PlannedVariant planned{selected, ops_id(backend), {}, {}, {archs.begin(), archs.end()}};
        planned.device_archives = device_archives(selected);
        planned.target = fmt::format("host/{}/{}.so", module.name, module.output_name);
        planned.library = inputs_.work / planned.target;
        plan_.variants.push_back(std::move(planned));
    }

    Plan finish() {
        if (!host_.modules.empty())
            plan_.trees.push_back(std::move(host_));
        for (auto& [tag, tree] : rocm_trees_)
            plan_.trees.push_back(std::move(tree));
        return std::move(plan_);
    }

  private:
    std::vector<std::string> launcher(const std::string& tree, std::string_view compiler) const {
        std::vector<std::string> words;
        if (generate::is_misread_by_ninja(inputs_.root.native()))
            words = generate::relative_dependencies(tree, inputs_.root.string());
        for (auto& word :
             cache_launcher(inputs_.cache, inputs_.root, inputs_.work / kCacheLog, compiler))
            words.push_back(std::move(word));
        return words;
    }

    std::string ops_id(Backend backend) const {
        return model::ops_id(config_.general.name.value, backend, inputs_.unique_id);
    }

    /// The same for all torches unless something was converted for each.
    const std::vector<Section>& sections(const matrix::Selected& selected) {
        const auto backend = selected.variant.backend;
        const auto& conversions = backend == Backend::rocm ? inputs_.conversions : kNoConversions;
        const auto key = std::pair(backend, conversions.empty() ? nullptr : selected.torch);
        const auto found = sections_.find(key);
        if (found != sections_.end())
            return found->second;
        auto& sections = sections_[key];
        for (auto& component : components_of(config_, backend, inputs_.root)) {
            auto units = units_of(component, inputs_.root, conversions, selected.torch);
            if (backend != Backend::rocm)
                refuse_device_code(component, units);
            if (const auto* conversion =
                    find_conversion(conversions, component.name, selected.torch))
                component = with_converted_headers(std::move(component), inputs_.root, *conversion);
            sections.push_back({std::move(component), std::move(units)});
        }
        return sections;
    }

    void refuse_device_code(const Component& component, const std::vector<Unit>& units) {
        for (const auto& unit : units) {
            if (unit.kind != sources::SourceKind::device)
                continue;
            const auto entry =
                std::find_if(component.src.begin(), component.src.end(), [&](const auto& src) {
                    return src.value == unit.relative;
                });
            diag::Diagnostic problem;
            problem.code = "K0402";
            problem.message = "device code in a kernel of the cpu backend";
            problem.span = entry->span;
            problem.label = "the host compiler cannot compile this";
            problem.help = {"list it in a `[kernel.…]` with `backend = \"rocm\"`"};
            sink_.report(std::move(problem));
        }
    }

    /// The archs that a section's device code is compiled for with this SDK; none if it has no
    /// device code.
    std::vector<GfxArch> archs_of(const Section& section, const model::RocmSdk& rocm) {
        const bool device =
            std::any_of(section.units.begin(), section.units.end(), [](const Unit& unit) {
                return unit.kind == sources::SourceKind::device;
            });
        if (!device)
            return {};
        auto archs = wanted_archs(section, rocm);
        if (!inputs_.only_archs.empty())
            std::erase_if(archs, [this](const GfxArch& arch) {
                return std::find(inputs_.only_archs.begin(), inputs_.only_archs.end(), arch) ==
                       inputs_.only_archs.end();
            });
        std::sort(archs.begin(), archs.end());
        archs.erase(std::unique(archs.begin(), archs.end()), archs.end());
        return archs;
    }

    std::vector<GfxArch> wanted_archs(const Section& section, const model::RocmSdk& rocm) {
        std::vector<GfxArch> archs;
        if (section.component.kernel == nullptr || section.component.kernel->rocm_archs.empty()) {
            std::vector<GfxArch> dropped;
            for (const auto& arch : model::default_rocm_archs())
                (supports(rocm, arch) ? archs : dropped).push_back(arch);
            if (!dropped.empty())
                note(fmt::format("{}: {} left out, the compiler of {} does not have them",
                                 section.component.name,
                                 model::to_string(dropped),
                                 rocm.name));
            return archs;
        }
        for (const auto& arch : section.component.kernel->rocm_archs) {
            if (supports(rocm, arch.value))
                archs.push_back(arch.value);
            else
                report_unsupported(arch, rocm);
        }
        return archs;
    }

    void report_unsupported(const config::Spanned<GfxArch>& arch, const model::RocmSdk& rocm) {
        if (!reported_.insert(rocm.name + arch.value.to_string()).second)
            return;
        diag::Diagnostic problem;
        problem.code = "K0403";
        problem.message =
            fmt::format("{} cannot compile for `{}`", rocm.name, arch.value.to_string());
        problem.span = arch.span;
        problem.label = "no device library for it in this SDK";
        problem.notes = {fmt::format("looked in `{}`", rocm.bitcode.string())};
        problem.help = {"remove the arch, or leave this ROCm out of the matrix"};
        sink_.report(std::move(problem));
    }

    /// An SDK has an arch if it has the bitcode that says which ISA is compiled for.
    static bool supports(const model::RocmSdk& rocm, const GfxArch& arch) {
        return support::is_file(rocm.bitcode /
                                fmt::format("oclc_isa_version_{}.bc", arch.processor().substr(3)));
    }

    void note(std::string text) {
        if (std::find(plan_.notes.begin(), plan_.notes.end(), text) == plan_.notes.end())
            plan_.notes.push_back(std::move(text));
    }

    static std::vector<const Unit*> units_in(const Section& section, UnitScope scope) {
        std::vector<const Unit*> units;
        for (const auto& unit : section.units)
            if (unit.scope == scope)
                units.push_back(&unit);
        return units;
    }

    static bool has_library(const Tree& tree, const std::string& name) {
        return std::any_of(tree.libraries.begin(),
                           tree.libraries.end(),
                           [&](const Library& library) { return library.name == name; });
    }

    void add_host_library(const Section& section,
                          UnitScope scope,
                          const matrix::Selected& selected,
                          Module& module) {
        const auto units = units_in(section, scope);
        if (units.empty())
            return;
        const auto backend = selected.variant.backend;
        const auto name =
            fmt::format("{}_{}{}",
                        section.component.name,
                        scope == UnitScope::torch ? torch_tag(*selected.torch) + "_" : "",
                        model::to_string(backend));
        module.libraries.push_back(name);
        if (has_library(host_, name))
            return;
        const bool torch = scope == UnitScope::torch;
        auto library = options_.host_library(
            section.component, units, backend, torch ? selected.torch : nullptr);
        library.name = name;
        note_leading(name, units);
        host_.libraries.push_back(std::move(library));
        (backend == Backend::cpu ? plan_.compiles.cpu : plan_.compiles.binding) += units.size();
    }

    void add_device_library(const Section& section,
                            UnitScope scope,
                            const matrix::Selected& selected,
                            Module& module) {
        const auto units = units_in(section, scope);
        if (units.empty() || selected.rocm == nullptr)
            return;
        const auto& rocm = *selected.rocm;
        auto& tree = rocm_tree(rocm);
        const auto archive = archive_of(section, scope, selected);
        const auto name = archive.stem().string().substr(std::string_view("lib").size());
        module.archives.push_back(archive.string());
        if (has_library(tree, name))
            return;
        const bool torch = scope == UnitScope::rocm_torch;
        auto library = options_.device_library(section.component,
                                               units,
                                               rocm,
                                               torch ? selected.torch : nullptr,
                                               archs_of(section, rocm));
        library.name = name;
        note_leading(name, units);
        tree.libraries.push_back(std::move(library));
        (torch ? plan_.compiles.device_torch : plan_.compiles.device) += units.size();
    }

    void note_leading(const std::string& library, const std::vector<const Unit*>& units) {
        for (const auto* const unit : units)
            plan_.leading[{library, unit->path.string()}] = unit->leading;
    }

    std::filesystem::path
    archive_of(const Section& section, UnitScope scope, const matrix::Selected& selected) const {
        const std::string tag = rocm_tag(*selected.rocm);
        const auto torch = scope == UnitScope::rocm_torch ? "_" + torch_tag(*selected.torch) : "";
        return inputs_.work / tag / fmt::format("lib{}_{}{}.a", section.component.name, tag, torch);
    }

    std::vector<std::filesystem::path> device_archives(const matrix::Selected& selected) {
        std::vector<std::filesystem::path> archives;
        for (const auto& section : sections(selected))
            if (selected.rocm != nullptr && !units_in(section, UnitScope::rocm).empty())
                archives.push_back(archive_of(section, UnitScope::rocm, selected));
        return archives;
    }

    Tree& rocm_tree(const model::RocmSdk& rocm) {
        auto& tree = rocm_trees_[rocm_tag(rocm)];
        if (tree.name.empty()) {
            tree.name = rocm_tag(rocm);
            tree.fingerprint = rocm.fingerprint;
            tree.cxx = rocm.clang.string();
            tree.hip = options_.hip_toolchain(rocm);
            tree.launcher = launcher(tree.name, rocm.fingerprint);
        }
        return tree;
    }

    const config::BuildConfig& config_;
    const PlanInputs& inputs_;
    CompileOptions options_;
    diag::Sink& sink_;
    Plan plan_;
    Tree host_;
    std::map<std::string, Tree> rocm_trees_;
    std::map<std::pair<Backend, const model::TorchSdk*>, std::vector<Section>> sections_;
    std::set<std::string> reported_;
};

} // namespace

Plan make_plan(const config::BuildConfig& config,
               const matrix::BuildSet& set,
               const PlanInputs& inputs,
               diag::Sink& sink) {
    Planner planner(config, inputs, sink);
    for (const auto& selected : set.selected)
        planner.add_variant(selected);
    return planner.finish();
}

} // namespace kbuild::build
