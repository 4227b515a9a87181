#include "provenance.hpp"

#include "kbuild/elf/elf_file.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/support/version_info.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace kbuild::build {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using support::Result;

constexpr const char* kStatement = "https://in-toto.io/Statement/v1";
constexpr const char* kPredicate = "https://slsa.dev/provenance/v1";
constexpr const char* kBuildType = "urn:kbuild:build:variant:1";
constexpr const char* kBuilder = "urn:kbuild:builder";

/// Folders of this machine and what stands for them, longest first, so that a folder inside another
/// one is found.
using Places = std::vector<std::pair<std::string, std::string>>;

Places places_of(const PlannedVariant& variant, const PlanInputs& inputs) {
    Places places = {{inputs.root.string(), "."}};
    if (variant.selected.torch != nullptr)
        places.emplace_back(variant.selected.torch->root.string(),
                            "${" + variant.selected.torch->name + "}");
    if (variant.selected.rocm != nullptr)
        places.emplace_back(variant.selected.rocm->root.string(),
                            "${" + variant.selected.rocm->name + "}");
    if (inputs.baseline)
        places.emplace_back(inputs.baseline->folder.string(), "${baseline}");
    std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) {
        return a.first.size() > b.first.size();
    });
    return places;
}

std::string symbolic(std::string text, const Places& places) {
    for (const auto& [folder, name] : places)
        text = support::replace_all(std::move(text), folder, name);
    return text;
}

std::vector<std::string> arguments_of(const generate::Library& library,
                                      const generate::Source& source,
                                      const Places& places) {
    auto arguments = generate::arguments_of(library);
    arguments.insert(arguments.end(), source.options.begin(), source.options.end());
    for (auto& argument : arguments)
        argument = symbolic(std::move(argument), places);
    return arguments;
}

void add_compiles(const generate::Tree& tree,
                  const std::set<std::string>& wanted,
                  const std::string& tool,
                  const Places& places,
                  std::vector<RecordedCommand>& commands) {
    for (const auto& library : tree.libraries) {
        if (!wanted.contains(library.name))
            continue;
        for (const auto& source : library.sources)
            commands.push_back(
                {tool, symbolic(source.path, places), arguments_of(library, source, places)});
    }
}

/// `…/lib<name>.a` -> `<name>`.
std::string library_of_archive(const std::string& path) {
    return fs::path(path).stem().string().substr(3);
}

template <typename Sdk> Json sdk_entry(const Sdk& sdk) {
    Json files = Json::array();
    const auto manifest =
        Json::parse(support::read_file(sdk.root / "sdk.json").value_or(""), nullptr, false);
    if (manifest.is_object() && manifest.contains("made"))
        files = manifest.at("made").value("files", Json::array());
    Json annotations = {{"version", sdk.full_version},
                        {"provider", sdk.provider},
                        {"origin", model::to_string(sdk.origin)},
                        {"files", std::move(files)}};
    // The same SDK has the same name wherever it lies.
    const auto name = sdk.name.find('/') == std::string::npos ? sdk.name : sdk.provider;
    return {{"name", name},
            {"digest", {{"kbuildSdkContent", sdk.fingerprint}}},
            {"annotations", std::move(annotations)}};
}

Json dependencies(const ProvenanceFacts& facts) {
    Json list = Json::array();
    if (facts.variant.selected.torch != nullptr)
        list.push_back(sdk_entry(*facts.variant.selected.torch));
    if (facts.variant.selected.rocm != nullptr)
        list.push_back(sdk_entry(*facts.variant.selected.rocm));
    if (facts.kernel)
        list.push_back({{"name", "project"},
                        {"digest", {{"gitCommit", facts.kernel->commit}}},
                        {"annotations", {{"dirty", facts.kernel->dirty}}}});
    for (const auto& [file, sha256] : facts.inputs)
        list.push_back({{"name", file}, {"digest", {{"sha256", sha256}}}});
    return list;
}

Json commands_json(const std::vector<RecordedCommand>& commands) {
    Json list = Json::array();
    for (const auto& command : commands) {
        Json entry = {{"tool", command.tool}};
        if (!command.source.empty())
            entry["source"] = command.source;
        entry["arguments"] = command.arguments;
        list.push_back(std::move(entry));
    }
    return list;
}

Json subject(const std::vector<HashedFile>& files) {
    Json list = Json::array();
    for (const auto& [file, sha256] : files)
        list.push_back({{"name", file}, {"digest", {{"sha256", sha256}}}});
    return list;
}

Json builder() {
    const auto version = support::version_info();
    Json versions = {{"kbuild", version.version}};
    if (!version.commit.empty()) {
        versions["commit"] = version.commit;
        versions["dirty"] = version.dirty ? "true" : "false";
    }
    return {{"id", kBuilder}, {"version", std::move(versions)}};
}

std::vector<RecordedCommand>
commands_of(const Plan& plan, const PlannedVariant& variant, const PlanInputs& inputs) {
    const auto places = places_of(variant, inputs);
    std::vector<RecordedCommand> commands;
    if (plan.trees.empty()) // Python files alone
        return commands;
    const auto& host = plan.trees.front();
    const auto module =
        std::find_if(host.modules.begin(), host.modules.end(), [&](const generate::Module& entry) {
            return variant.target.starts_with("host/" + entry.name + "/");
        });
    if (module == host.modules.end())
        return commands;
    add_compiles(
        host, {module->libraries.begin(), module->libraries.end()}, "host", places, commands);
    std::set<std::string> archived;
    for (const auto& archive : module->archives)
        archived.insert(library_of_archive(archive));
    for (const auto& tree : plan.trees)
        if (tree.hip && variant.selected.rocm != nullptr)
            add_compiles(tree, archived, variant.selected.rocm->name, places, commands);
    RecordedCommand link{"host", {}, module->link_options};
    link.arguments.insert(link.arguments.end(), module->archives.begin(), module->archives.end());
    link.arguments.insert(
        link.arguments.end(), module->link_files.begin(), module->link_files.end());
    for (auto& argument : link.arguments)
        argument = symbolic(std::move(argument), places);
    commands.push_back(std::move(link));
    return commands;
}

} // namespace

std::map<std::string, std::vector<RecordedCommand>> record_commands(const Plan& plan,
                                                                    const PlanInputs& inputs) {
    std::map<std::string, std::vector<RecordedCommand>> commands;
    for (const auto& variant : plan.variants)
        commands[variant.target] = commands_of(plan, variant, inputs);
    return commands;
}

Result<std::string> provenance_text(const ProvenanceFacts& facts) {
    std::vector<std::string> archs;
    for (const auto& arch : facts.variant.archs)
        archs.push_back(arch.to_string());
    const Json document = {{"_type", kStatement},
                           {"subject", subject(facts.files)},
                           {"predicateType", kPredicate},
                           {"predicate",
                            {{"buildDefinition",
                              {{"buildType", kBuildType},
                               {"externalParameters",
                                {{"variant", facts.variant.selected.variant.name()},
                                 {"archs", std::move(archs)},
                                 {"policy", facts.policy}}},
                               {"internalParameters",
                                {{"id", facts.variant.ops_id},
                                 {"baseline", facts.baseline},
                                 {"compilers", facts.compilers},
                                 {"commands", commands_json(facts.commands)}}},
                               {"resolvedDependencies", dependencies(facts)}}},
                             {"runDetails", {{"builder", builder()}}}}}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<std::string> compilers_of(const fs::path& library) {
    const auto file = elf::read_elf(library);
    const auto* const section = file ? file->section(".comment") : nullptr;
    if (section == nullptr)
        return {};
    const auto bytes = elf::read_section(library, *section);
    std::set<std::string> names;
    for (const auto& name : support::split(bytes.value_or(std::string()), '\0'))
        names.insert(name);
    names.erase("");
    return {names.begin(), names.end()};
}

} // namespace kbuild::build
