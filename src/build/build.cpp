#include "kbuild/build/build.hpp"

#include "contents.hpp"

#include "kbuild/build/compiler_output.hpp"
#include "kbuild/build/identity.hpp"

#include <algorithm>
#include <chrono>

namespace kbuild::build {
namespace {

using support::Result;

bool is_complete(const Compiled& compiled, const PlannedVariant& variant) {
    return variant.target.empty() ||
           std::find(compiled.up_to_date.begin(), compiled.up_to_date.end(), variant.target) !=
               compiled.up_to_date.end();
}

Result<VariantResult> finish_variant(const PlannedVariant& variant,
                                     const Compiled& compiled,
                                     const BuildInputs& inputs,
                                     diag::Sink& sink) {
    const auto start = std::chrono::steady_clock::now();
    VariantResult result{variant, VariantResult::State::compile_failed, 0, std::nullopt};
    if (!is_complete(compiled, variant))
        return result;
    KB_TRY_ASSIGN(published,
                  stage_and_publish(variant, inputs.config, inputs.folder, inputs.stage, sink));
    if (!published)
        result.state = VariantResult::State::check_failed;
    else
        result.state = published->fresh ? VariantResult::State::fresh : VariantResult::State::built;
    result.published = std::move(published);
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

bool any_in_state(const BuildResult& result, VariantResult::State state) {
    return std::any_of(result.variants.begin(),
                       result.variants.end(),
                       [state](const auto& variant) { return variant.state == state; });
}

/// Who is told what happens, if anybody.
void tell_stage(const BuildInputs& inputs, Stage stage) {
    if (inputs.run.watcher != nullptr)
        inputs.run.watcher->stage_began(stage);
}

Result<void> forget_outdated(const BuildInputs& inputs) {
    KB_TRY_ASSIGN(names, input_files(inputs.root, inputs.config));
    std::vector<std::filesystem::path> files;
    for (const auto& name : names)
        files.push_back(inputs.root / name);
    return forget_outdated_objects(inputs.folder, inputs.tools, files);
}

} // namespace

bool BuildResult::ok() const {
    return exit_code() == 0;
}

int BuildResult::exit_code() const {
    if (any_in_state(*this, VariantResult::State::compile_failed))
        return support::exit_code(support::ErrorKind::failed);
    if (any_in_state(*this, VariantResult::State::check_failed))
        return support::exit_code(support::ErrorKind::content);
    return 0;
}

Result<BuildResult> build(const Plan& plan, const BuildInputs& inputs, diag::Sink& sink) {
    BuildResult result;
    tell_stage(inputs, Stage::headers);
    KB_TRY_ASSIGN(passes, compile_passes(plan, inputs.passes));
    result.passes = std::move(passes);
    tell_stage(inputs, Stage::configure);
    const auto on_tick = [&inputs] {
        if (inputs.run.watcher != nullptr)
            inputs.run.watcher->time_passed({});
    };
    KB_TRY_ASSIGN(configured, configure(result.passes.trees, inputs.folder, inputs.tools, on_tick));
    result.configured = std::move(configured);
    KB_TRY(forget_outdated(inputs));
    if (inputs.run.explain) {
        KB_TRY_ASSIGN(reasons, explain(plan, inputs.folder, inputs.tools, inputs.root));
        result.reasons = std::move(reasons);
    }
    tell_stage(inputs, Stage::compile);
    KB_TRY_ASSIGN(compiled, compile(plan, inputs.folder, inputs.tools, inputs.run));
    result.compiled = std::move(compiled);
    report_failures(result.compiled.failed, inputs.root, sink);
    tell_stage(inputs, Stage::publish);
    for (const auto& variant : plan.variants) {
        KB_TRY_ASSIGN(finished, finish_variant(variant, result.compiled, inputs, sink));
        if (inputs.run.watcher != nullptr)
            inputs.run.watcher->variant_ended(variant.selected.variant.name(), finished.state);
        result.variants.push_back(std::move(finished));
    }
    return result;
}

} // namespace kbuild::build
