#include "manifest.hpp"

#include "torch_version.hpp"

#include "kbuild/support/file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace kbuild::toolchain {
namespace {

using nlohmann::ordered_json;
using support::ErrorKind;
using support::Result;
namespace fs = std::filesystem;

ordered_json to_json(const Making& making) {
    ordered_json files = ordered_json::array();
    for (const auto& file : making.files)
        files.push_back({{"name", file.name}, {"version", file.version}, {"sha256", file.sha256}});
    return {{"source", making.source},
            {"summary", making.summary},
            {"extra", making.extra},
            {"files", std::move(files)}};
}

std::string relative_to(const fs::path& path, const fs::path& root) {
    return path.empty() ? std::string() : path.lexically_relative(root).generic_string();
}

std::vector<std::string> relative_to(const std::vector<fs::path>& paths, const fs::path& root) {
    std::vector<std::string> texts;
    for (const auto& path : paths)
        texts.push_back(relative_to(path, root));
    return texts;
}

std::vector<fs::path> paths_below(const fs::path& root, const ordered_json& list) {
    std::vector<fs::path> paths;
    for (const auto& entry : list)
        paths.push_back(root / entry.get<std::string>());
    return paths;
}

std::optional<fs::path> optional_path(const fs::path& root, const ordered_json& value) {
    const auto text = value.get<std::string>();
    return text.empty() ? std::nullopt : std::optional(root / text);
}

model::Origin to_origin(const std::string& text) {
    for (const auto origin : {model::Origin::release, model::Origin::rebuild})
        if (text == model::to_string(origin))
            return origin;
    return model::Origin::mix;
}

model::TorchBuild to_build(const std::string& text) {
    for (const auto build : {model::TorchBuild::cpu, model::TorchBuild::rocm})
        if (text == model::to_string(build))
            return build;
    return model::TorchBuild::cuda;
}

model::RocmSdk to_rocm(const ordered_json& document, const fs::path& root) {
    const auto text = [&](const char* name) { return document.at(name).get<std::string>(); };
    const auto& paths = document.at("paths");
    const auto path = [&](const char* name) { return root / paths.at(name).get<std::string>(); };
    model::RocmSdk sdk;
    sdk.name = text("name");
    sdk.full_version = text("version");
    sdk.version = model::Version::parse(sdk.full_version).value();
    sdk.provider = text("provider");
    sdk.origin = to_origin(text("origin"));
    sdk.origin_note = text("origin_note");
    sdk.root = root;
    sdk.clang = path("clang");
    sdk.hipcc = optional_path(root, paths.at("hipcc"));
    sdk.amdclang = optional_path(root, paths.at("amdclang"));
    sdk.include = path("include");
    sdk.bitcode = path("bitcode");
    sdk.hip_library = path("hip_library");
    sdk.hip_soname = text("hip_soname");
    sdk.fingerprint = text("fingerprint");
    return sdk;
}

model::TorchSdk to_torch(const ordered_json& document, const fs::path& root) {
    const auto text = [&](const char* name) { return document.at(name).get<std::string>(); };
    const auto& paths = document.at("paths");
    const auto path = [&](const char* name) { return root / paths.at(name).get<std::string>(); };
    model::TorchSdk sdk;
    sdk.name = text("name");
    sdk.full_version = text("version");
    sdk.version = release_of(sdk.full_version).value();
    sdk.provider = text("provider");
    sdk.origin = to_origin(text("origin"));
    // Absent in what an older kbuild made, of the CUDA builds of the Python index alone.
    sdk.build = to_build(document.value("build", "CUDA"));
    sdk.rocm = model::Version::parse(document.value("rocm", ""));
    sdk.no_rocm = document.value("no_rocm", "");
    sdk.place = document.value("from", "");
    sdk.root = root;
    sdk.include = paths_below(root, paths.at("include"));
    sdk.rocm_include = paths_below(root, paths.at("rocm_include"));
    sdk.python_include = path("python_include");
    sdk.stub_dir = path("stubs");
    sdk.symbols_dir = path("symbols");
    if (paths.contains("hipify"))
        sdk.hipify = optional_path(root, paths.at("hipify"));
    sdk.cxx11_abi = document.at("cxx11_abi").get<bool>();
    sdk.fingerprint = text("fingerprint");
    return sdk;
}

/// Also by another name: a store may be a symbolic link.
bool is_same_folder(const fs::path& one, const fs::path& other) {
    std::error_code missing; // what is not there is not the same
    return one == other || fs::equivalent(one, other, missing);
}

/// Reads the manifest and gives it to `convert`, with errors that say what to do.
template <typename Sdk>
Result<Sdk> read(const fs::path& folder,
                 std::string_view kind,
                 Sdk (*convert)(const ordered_json&, const fs::path&)) {
    KB_TRY_ASSIGN(text, support::read_file(folder / kManifestName, 16U << 20U));
    const auto fail = [&](std::string_view why) {
        return support::fail(
            ErrorKind::toolchain,
            fmt::format("the SDK in `{}` cannot be used: {}", folder.string(), why),
            fmt::format("kbuild toolchain add {}",
                        std::string(folder.filename()).replace(kind.size(), 1, "@")));
    };
    try {
        const auto document = ordered_json::parse(text);
        if (document.at("format").get<int>() != kManifestFormat)
            return fail("another version of kbuild made it");
        if (document.at("kind").get<std::string>() != kind)
            return fail("its manifest is of another kind");
        const auto place = document.at("place").get<std::string>();
        if (!is_same_folder(place, folder))
            return fail(fmt::format("it was moved from `{}`", place));
        return convert(document, folder);
    } catch (const std::exception& error) {
        return fail(fmt::format("its manifest is damaged ({})", error.what()));
    }
}

/// How the SDK in `folder` was made; an empty object if it does not say.
ordered_json read_making(const fs::path& folder) {
    const auto text = support::read_file(folder / kManifestName, 16U << 20U);
    const auto document = ordered_json::parse(text.value_or(""), nullptr, false);
    return document.is_object() ? document.value("made", ordered_json::object())
                                : ordered_json::object();
}

} // namespace

std::string
write_manifest(const model::RocmSdk& sdk, const Making& making, const fs::path& final_place) {
    const auto relative = [&](const fs::path& path) { return relative_to(path, sdk.root); };
    const ordered_json document = {{"format", kManifestFormat},
                                   {"kind", "rocm"},
                                   {"name", sdk.name},
                                   {"version", sdk.full_version},
                                   {"provider", sdk.provider},
                                   {"origin", model::to_string(sdk.origin)},
                                   {"origin_note", sdk.origin_note},
                                   {"place", final_place.string()},
                                   {"hip_soname", sdk.hip_soname},
                                   {"fingerprint", sdk.fingerprint},
                                   {"paths",
                                    {{"clang", relative(sdk.clang)},
                                     {"hipcc", relative(sdk.hipcc.value_or(fs::path()))},
                                     {"amdclang", relative(sdk.amdclang.value_or(fs::path()))},
                                     {"include", relative(sdk.include)},
                                     {"bitcode", relative(sdk.bitcode)},
                                     {"hip_library", relative(sdk.hip_library)}}},
                                   {"made", to_json(making)}};
    return document.dump(2) + "\n";
}

std::string
write_manifest(const model::TorchSdk& sdk, const Making& making, const fs::path& final_place) {
    const ordered_json document = {
        {"format", kManifestFormat},
        {"kind", "torch"},
        {"name", sdk.name},
        {"version", sdk.full_version},
        {"provider", sdk.provider},
        {"origin", model::to_string(sdk.origin)},
        {"build", model::to_string(sdk.build)},
        {"rocm", sdk.rocm ? sdk.rocm->dotted() : std::string()},
        {"no_rocm", sdk.no_rocm},
        {"from", sdk.place.string()},
        {"place", final_place.string()},
        {"cxx11_abi", sdk.cxx11_abi},
        {"fingerprint", sdk.fingerprint},
        {"paths",
         {{"include", relative_to(sdk.include, sdk.root)},
          {"rocm_include", relative_to(sdk.rocm_include, sdk.root)},
          {"python_include", relative_to(sdk.python_include, sdk.root)},
          {"stubs", relative_to(sdk.stub_dir, sdk.root)},
          {"symbols", relative_to(sdk.symbols_dir, sdk.root)},
          {"hipify", relative_to(sdk.hipify.value_or(fs::path()), sdk.root)}}},
        {"made", to_json(making)}};
    return document.dump(2) + "\n";
}

Result<model::RocmSdk> read_rocm_manifest(const fs::path& folder) {
    return read(folder, "rocm", to_rocm);
}

Result<model::TorchSdk> read_torch_manifest(const fs::path& folder) {
    return read(folder, "torch", to_torch);
}

std::string read_summary(const fs::path& folder) {
    const auto made = read_making(folder);
    return made.is_object() && made.contains("summary") && made["summary"].is_string()
               ? made["summary"].get<std::string>()
               : std::string();
}

std::vector<std::string> extra_libraries(const fs::path& folder) {
    const auto made = read_making(folder);
    try {
        return made.value("extra", std::vector<std::string>());
    } catch (const std::exception&) {
        return {}; // no manifest of ours
    }
}

SdkContent content_of(const fs::path& folder) {
    SdkContent content;
    try {
        const auto made = read_making(folder);
        content.source = made.at("source").get<std::string>();
        for (const auto& file : made.at("files"))
            content.files.push_back({file.at("name"), file.at("version"), file.at("sha256")});
        content.extra = extra_libraries(folder);
    } catch (const std::exception&) {
        return {}; // no manifest of ours
    }
    std::sort(content.files.begin(), content.files.end(), [](const auto& a, const auto& b) {
        return a.name < b.name;
    });
    return content;
}

} // namespace kbuild::toolchain
