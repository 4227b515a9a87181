#include "rules.hpp"

#include "kbuild/check/op_schema.hpp"
#include "kbuild/diag/finding.hpp"
#include "kbuild/sources/python_file.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kbuild::check {
namespace {

using model::Backend;
using sources::CppFile;
using sources::LibraryBlock;
using sources::OpCall;
using sources::SourceKind;
using sources::WordKind;

bool is_torch(const ProjectSources& sources) {
    return sources.subject().config.framework.kind == config::FrameworkKind::torch;
}

/// Listed sources that register ops, each once, in the order of build.toml.
std::vector<std::string> registering_files(ProjectSources& sources) {
    std::vector<std::string> paths;
    for (const auto& section : sources.sections())
        for (const auto& listed : section.files) {
            if (listed.kind == SourceKind::other)
                continue;
            const auto* const file = sources.tree().file(listed.path);
            const bool known = std::find(paths.begin(), paths.end(), listed.path) != paths.end();
            if (file != nullptr && !file->libraries.empty() && !known)
                paths.push_back(listed.path);
        }
    return paths;
}

/// `relu.out` of `ns::relu.out(Tensor a) -> ()`.
std::string op_name(std::string_view schema) {
    auto name = support::trim(schema.substr(0, schema.find('(')));
    if (const auto colons = name.rfind("::"); colons != std::string_view::npos)
        name = name.substr(colons + 2);
    return std::string(name);
}

diag::SourceSpan schema_span(ProjectSources& sources,
                             const std::string& path,
                             const sources::Literal& literal,
                             const SchemaProblem& problem) {
    const bool plain = literal.length == literal.text.size() + 2;
    if (!plain)
        return sources.span(path, literal.offset, literal.length);
    const auto length = std::min(problem.length, literal.text.size() - problem.offset);
    return sources.span(
        path, literal.offset + 1 + problem.offset, std::max<std::size_t>(length, 1));
}

void check_schema(ProjectSources& sources,
                  const std::string& path,
                  const OpCall& call,
                  diag::Sink& sink) {
    if (call.is_impl || !call.name)
        return;
    const auto problem = check_op_schema(call.name->text, call.arguments > 1);
    if (!problem)
        return;
    auto report = mistake("K0310",
                          fmt::format("torch refuses the schema of `{}`: {}",
                                      op_name(call.name->text),
                                      problem->message),
                          schema_span(sources, path, *call.name, *problem),
                          "torch stops here");
    report.notes.emplace_back("schemas are read when the library is loaded, so it compiles and "
                              "then cannot be imported");
    if (!problem->help.empty())
        report.help.push_back(problem->help);
    sink.report(std::move(report));
}

/// `CUDA` of `torch::kCUDA`, `c10::DispatchKey::CUDA` and `"CUDA"`.
std::string_view plain_key(std::string_view key) {
    if (const auto colons = key.rfind("::"); colons != std::string_view::npos)
        key.remove_prefix(colons + 2);
    if (key.size() >= 2 && key.front() == '"')
        key = key.substr(1, key.size() - 2);
    if (key.size() > 1 && key[0] == 'k' && key[1] >= 'A' && key[1] <= 'Z')
        key.remove_prefix(1);
    return key;
}

/// Whether an implementation under this key serves the backend. Keys that are not known here may.
bool serves(std::string_view key, Backend backend) {
    constexpr std::array<std::string_view, 16> kOthers = {"CPU",
                                                          "CUDA",
                                                          "HIP",
                                                          "MPS",
                                                          "XPU",
                                                          "Meta",
                                                          "Autograd",
                                                          "AutogradCPU",
                                                          "AutogradCUDA",
                                                          "AutogradHIP",
                                                          "AutocastCPU",
                                                          "AutocastCUDA",
                                                          "SparseCPU",
                                                          "SparseCUDA",
                                                          "QuantizedCPU",
                                                          "QuantizedCUDA"};
    key = plain_key(key);
    switch (backend) {
    case Backend::rocm: // torch's builds for ROCm call the device `cuda`
        return key == "CUDA" || key == "HIP" ||
               std::find(kOthers.begin(), kOthers.end(), key) == kOthers.end();
    case Backend::cpu:
        return key == "CPU" || std::find(kOthers.begin(), kOthers.end(), key) == kOthers.end();
    default:
        return true;
    }
}

struct Definition {
    std::string name;
    std::string path;
    sources::Literal literal;
};

/// What one backend's library defines and implements.
struct Ops {
    std::vector<Definition> definitions; ///< those that bring no function
    std::set<std::string> implemented;
    bool is_known = true; ///< false if something is registered in a way that is not understood
};

void add_call(const std::string& path,
              const LibraryBlock& block,
              const OpCall& call,
              Backend backend,
              Ops& ops) {
    if (!call.name) {
        ops.is_known = false;
        return;
    }
    if (!call.is_impl) {
        if (call.arguments == 1)
            ops.definitions.push_back({op_name(call.name->text), path, *call.name});
        return;
    }
    const auto& key = call.key.empty() ? block.key : call.key;
    if (key.empty() || serves(key, backend))
        ops.implemented.insert(op_name(call.name->text));
}

Ops ops_of(ProjectSources& sources, const std::vector<std::string>& paths, Backend backend) {
    Ops ops;
    const auto macros = macros_of(backend);
    for (const auto& path : paths) {
        const CppFile& file = *sources.tree().file(path);
        for (const auto& block : file.libraries) {
            if (is_seen(file.branches, block.branch, macros) == false)
                continue;
            ops.is_known &= !block.is_opaque;
            for (const auto& call : block.calls)
                if (is_seen(file.branches, call.branch, macros) != false)
                    add_call(path, block, call, backend, ops);
        }
    }
    return ops;
}

/// Implementations can be registered from Python too.
bool python_registers(const std::filesystem::path& root) {
    const auto files = support::list_files(root / "torch-ext");
    if (!files)
        return false;
    return std::any_of(files->begin(), files->end(), [&root](const auto& file) {
        if (file.extension() != ".py")
            return false;
        auto text = support::read_file(root / "torch-ext" / file);
        return text && sources::scan_python(std::move(*text)).registers_impls;
    });
}

void report_unimplemented(ProjectSources& sources,
                          const Definition& op,
                          Backend backend,
                          diag::Sink& sink) {
    const bool cpu = backend == Backend::cpu;
    auto problem = warning("K0311",
                           fmt::format("`{}` is defined, but has no implementation for `{}`",
                                       op.name,
                                       to_string(backend)),
                           sources.span(op.path, op.literal.offset, op.literal.length),
                           fmt::format("fails when it is called on `{}`", cpu ? "cpu" : "cuda"));
    if (!cpu)
        problem.notes.emplace_back("torch's builds for ROCm call the device and its key CUDA");
    problem.help.push_back(
        fmt::format("add `ops.impl(\"{0}\", torch::{1}, &{0});`", op.name, cpu ? "kCPU" : "kCUDA"));
    sink.report(std::move(problem));
}

void report_fixed_namespace(ProjectSources& sources,
                            const std::string& path,
                            const LibraryBlock& block,
                            diag::Sink& sink) {
    auto problem =
        warning("K0312",
                fmt::format("ops are registered under the fixed namespace `{}`", block.name_space),
                sources.span(path, block.offset, block.macro.size()),
                "the same for every build");
    problem.notes.emplace_back("`_ops.py` looks for them under the name of the build, and two "
                               "versions in one process clash");
    const auto macro = block.macro + (block.macro.ends_with("_EXPAND") ? "" : "_EXPAND");
    problem.help.push_back(
        fmt::format("write `{}(TORCH_EXTENSION_NAME, …)` and include `registration.h`",
                    block.is_impl() ? macro : std::string("TORCH_LIBRARY_EXPAND")));
    sink.report(std::move(problem));
}

/// Whether a word of this kind may be compiled into the backend's library.
bool library_has(ProjectSources& sources, WordKind kind, Backend backend) {
    const auto macros = macros_of(backend);
    for (const auto& section : sources.sections()) {
        if (section.kernel != nullptr && section.kernel->backend != backend)
            continue;
        for (const auto& listed : section.files) {
            const auto* const file = sources.tree().file(listed.path);
            if (listed.kind == SourceKind::other || file == nullptr)
                continue;
            for (const auto& word : file->words)
                if (word.kind == kind && is_seen(file->branches, word.branch, macros) != false)
                    return true;
        }
    }
    return false;
}

void check_module_init(ProjectSources& sources, diag::Sink& sink) {
    const auto& framework = sources.subject().config.framework;
    std::vector<std::string> missing;
    for (const auto backend : sources.built_backends())
        if (!library_has(sources, WordKind::register_extension, backend) &&
            !library_has(sources, WordKind::module_init, backend))
            missing.push_back(fmt::format("`{}`", to_string(backend)));
    if (missing.empty() || framework.src.empty())
        return;
    auto problem = mistake(
        "K0313",
        fmt::format("no source has `REGISTER_EXTENSION` for {}", support::join(missing, ", ")),
        framework.src.front().span,
        "the binding");
    problem.notes.emplace_back("without it the library is no Python module and cannot be imported");
    problem.help.emplace_back(
        "add `REGISTER_EXTENSION(TORCH_EXTENSION_NAME)` at the end of the binding");
    sink.report(std::move(problem));
}

const sources::Word* word_of_registration(const CppFile& file) {
    const auto* const word = file.first(WordKind::register_extension);
    return word != nullptr ? word : file.first(WordKind::expand_macro);
}

void check_registration_header(ProjectSources& sources,
                               const Section& section,
                               const ListedFile& listed,
                               diag::Sink& sink) {
    const auto* const file = sources.tree().file(listed.path);
    const auto* const word = file == nullptr ? nullptr : word_of_registration(*file);
    if (word == nullptr)
        return;
    for (const auto& path : sources.tree().reachable(listed.path, section.folders)) {
        const auto* const reached = sources.tree().file(path);
        if (reached == nullptr)
            continue;
        const bool includes =
            std::any_of(reached->includes.begin(), reached->includes.end(), [](const auto& i) {
                return std::filesystem::path(i.name).filename() == "registration.h";
            });
        if (includes || reached->defines_registration)
            return;
    }
    auto problem = mistake("K0314",
                           fmt::format("`{}` is used without `registration.h`",
                                       file->text.substr(word->offset, word->length)),
                           sources.span(listed.path, word->offset, word->length),
                           "not known to the compiler here");
    problem.help.emplace_back("add `#include \"registration.h\"`; kbuild writes the file");
    sink.report(std::move(problem));
}

} // namespace

void check_schemas(ProjectSources& sources, diag::Sink& sink) {
    for (const auto& path : registering_files(sources))
        for (const auto& block : sources.tree().file(path)->libraries)
            for (const auto& call : block.calls)
                check_schema(sources, path, call, sink);
}

void check_namespaces(ProjectSources& sources, diag::Sink& sink) {
    if (!is_torch(sources))
        return;
    for (const auto& path : registering_files(sources))
        for (const auto& block : sources.tree().file(path)->libraries) {
            const bool foreign =
                block.is_impl() && (block.name_space == "aten" || block.name_space == "_");
            if (block.name_space != "TORCH_EXTENSION_NAME" && !foreign)
                report_fixed_namespace(sources, path, block, sink);
        }
}

void check_implementations(ProjectSources& sources, diag::Sink& sink) {
    const auto paths = registering_files(sources);
    if (!is_torch(sources) || paths.empty())
        return;
    bool asked_python = false;
    for (const auto backend : sources.built_backends()) {
        const auto ops = ops_of(sources, paths, backend);
        if (!ops.is_known)
            continue;
        for (const auto& op : ops.definitions) {
            if (ops.implemented.contains(op.name))
                continue;
            if (!asked_python && python_registers(sources.subject().root))
                return;
            asked_python = true;
            report_unimplemented(sources, op, backend, sink);
        }
    }
}

void check_registration(ProjectSources& sources, diag::Sink& sink) {
    if (!is_torch(sources))
        return;
    check_module_init(sources, sink);
    for (const auto& section : sources.sections())
        for (const auto& listed : section.files)
            if (listed.kind == SourceKind::host || listed.kind == SourceKind::device)
                check_registration_header(sources, section, listed, sink);
}

} // namespace kbuild::check
