#include "commands.hpp"

#include "kbuild/elf/elf_file.hpp"
#include "kbuild/inspect/device_code.hpp"
#include "kbuild/inspect/symbol_name.hpp"
#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/ui/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using inspect::KernelResources;
using Json = nlohmann::ordered_json;
using support::Result;

struct InspectOptions {
    std::vector<std::string> paths = {"."};
    std::string format = "text";
};

struct InspectedFile {
    fs::path path;
    inspect::DeviceCode code;
    std::vector<std::string> needed;
};

/// Libraries of a folder: those of its variants (or of the variants of its build/), else all below
/// it.
Result<std::vector<fs::path>> libraries_of(const fs::path& folder) {
    std::vector<fs::path> roots = {folder};
    if (const auto variants = layout::discover_folders(folder))
        roots = *variants;
    std::vector<fs::path> libraries;
    for (const auto& root : roots) {
        KB_TRY_ASSIGN(files, support::list_files(root));
        for (const auto& file : files)
            if (file.extension() == ".so")
                libraries.push_back(root / file);
    }
    if (libraries.empty())
        return support::fail(
            support::ErrorKind::nothing,
            fmt::format("there is no library (`*.so`) in `{}`", support::display_path(folder)));
    return libraries;
}

Result<InspectedFile> inspect_file(const fs::path& path) {
    InspectedFile result;
    result.path = path;
    KB_TRY_ASSIGN(code, inspect::read_device_code(path));
    result.code = std::move(code);
    // A file of bundles is no ELF file and needs nothing.
    if (const auto file = elf::read_elf(path))
        result.needed = file->needed;
    return result;
}

std::string spills(const KernelResources& kernel) {
    if (kernel.vgpr_spills == 0 && kernel.sgpr_spills == 0)
        return "0";
    return fmt::format("{} VGPR, {} SGPR", kernel.vgpr_spills, kernel.sgpr_spills);
}

std::string kernel_table(const inspect::DeviceCode& code) {
    std::vector<std::vector<std::string>> rows = {
        {"arch", "VGPR", "AGPR", "SGPR", "LDS", "scratch", "spills", "threads", "kernel"}};
    for (const auto& object : code.objects)
        for (const auto& kernel : object.kernels)
            rows.push_back(
                {object.arch.to_string(),
                 std::to_string(kernel.vgprs),
                 std::to_string(kernel.agprs),
                 std::to_string(kernel.sgprs),
                 std::to_string(kernel.lds_bytes),
                 fmt::format("{}{}", kernel.scratch_bytes, kernel.dynamic_stack ? "+" : ""),
                 spills(kernel),
                 std::to_string(kernel.max_work_group_size),
                 inspect::readable_symbol(kernel.name)});
    return rows.size() > 1 ? ui::table(rows) : std::string();
}

std::string summary(const InspectedFile& file) {
    const auto& code = file.code;
    if (code.objects.empty() && code.other_targets.empty())
        return "no GPU code";
    std::vector<std::string> objects;
    for (const auto& object : code.objects) {
        auto text = fmt::format("{} (v{})", object.arch.to_string(), object.code_object_version);
        if (objects.empty() || objects.back() != text)
            objects.push_back(std::move(text));
    }
    objects.insert(objects.end(), code.other_targets.begin(), code.other_targets.end());
    return fmt::format("{}; {}, {}{}",
                       support::join(objects, ", "),
                       support::plural(code.kernel_count(), "kernel"),
                       support::plural(code.objects.size(), "code object"),
                       code.compressed_bundles > 0 ? ", compressed" : "");
}

std::string to_text(const std::vector<InspectedFile>& files) {
    std::string text;
    for (const auto& file : files) {
        text += text.empty() ? "" : "\n";
        text += fmt::format("{}\n  {}\n", support::display_path(file.path), summary(file));
        if (!file.needed.empty())
            text += fmt::format("  needs {}\n", support::join(file.needed, ", "));
        text += kernel_table(file.code);
    }
    return text;
}

Json to_json(const KernelResources& kernel) {
    return {{"name", kernel.name},
            {"demangled", inspect::readable_symbol(kernel.name, kernel.name.size() * 64)},
            {"vgprs", kernel.vgprs},
            {"agprs", kernel.agprs},
            {"sgprs", kernel.sgprs},
            {"vgpr_spills", kernel.vgpr_spills},
            {"sgpr_spills", kernel.sgpr_spills},
            {"lds_bytes", kernel.lds_bytes},
            {"scratch_bytes", kernel.scratch_bytes},
            {"dynamic_stack", kernel.dynamic_stack},
            {"kernarg_bytes", kernel.kernarg_bytes},
            {"max_work_group_size", kernel.max_work_group_size},
            {"wave_size", kernel.wave_size}};
}

Json to_json(const inspect::CodeObject& object) {
    Json kernels = Json::array();
    for (const auto& kernel : object.kernels)
        kernels.push_back(to_json(kernel));
    return {{"arch", object.arch.to_string()},
            {"code_object_version", object.code_object_version},
            {"bytes", object.bytes},
            {"kernels", std::move(kernels)}};
}

Json to_json(const InspectedFile& file) {
    Json archs = Json::array();
    for (const auto& arch : file.code.archs())
        archs.push_back(arch.to_string());
    Json objects = Json::array();
    for (const auto& object : file.code.objects)
        objects.push_back(to_json(object));
    return {{"path", file.path.string()},
            {"bytes", support::size_of_file(file.path)},
            {"archs", std::move(archs)},
            {"kernel_count", file.code.kernel_count()},
            {"bundles", file.code.bundles},
            {"compressed_bundles", file.code.compressed_bundles},
            {"other_targets", file.code.other_targets},
            {"needed", file.needed},
            {"code_objects", std::move(objects)}};
}

std::string to_json_text(const std::vector<InspectedFile>& files) {
    Json list = Json::array();
    for (const auto& file : files)
        list.push_back(to_json(file));
    const Json document = {{"schema", 1}, {"files", std::move(list)}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<std::vector<fs::path>> files_of(const std::vector<std::string>& paths) {
    std::vector<fs::path> files;
    for (const auto& text : paths) {
        const auto path = fs::path(text).lexically_normal();
        if (!support::path_exists(path))
            return support::fail(support::ErrorKind::nothing,
                                 fmt::format("there is no file or folder `{}`", text));
        if (!support::is_folder(path)) {
            files.push_back(path);
            continue;
        }
        KB_TRY_ASSIGN(libraries, libraries_of(path));
        files.insert(files.end(), libraries.begin(), libraries.end());
    }
    return files;
}

/// Shows every file that can be read; those that cannot are errors, but do not hide the others.
Result<int> inspect_all(const Context& context, const InspectOptions& options) {
    KB_TRY_ASSIGN(paths, files_of(options.paths));
    std::vector<InspectedFile> files;
    int code = 0;
    for (const auto& path : paths) {
        auto file = inspect_file(path);
        if (file) {
            files.push_back(std::move(*file));
            continue;
        }
        context.show(file.error());
        code = support::exit_code(support::ErrorKind::content);
    }
    context.data(options.format == "json" ? to_json_text(files) : to_text(files));
    return code;
}

} // namespace

Command inspect_command() {
    return {
        "inspect",
        "show the GPU code in variants and libraries: architectures, kernels, registers, spills",
        {},
        [](Options& app) {
            const auto options = std::make_shared<InspectOptions>();
            app.values(
                options->paths,
                {.names = "PATH",
                 .help = "variants, libraries, code objects, or folders of them (default: .)"});
            declare_format(app, options->format, {"text", "json"});
            return [options](Context& context) { return inspect_all(context, *options); };
        }};
}

} // namespace kbuild::cli
