#include "kbuild/generate/scaffold.hpp"

#include "kbuild/model/kernel_name.hpp"
#include "kbuild/support/embedded.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kbuild::generate {
namespace {

using model::Backend;
using support::ErrorKind;
using support::Result;
using Values = std::map<std::string, std::string>;

/// What a template is made of: folders of templates/init, of which a later one's files replace
/// those of an earlier one; or an example of this repository.
struct Template {
    std::string_view name;
    std::vector<std::string_view> folders;
    bool is_example = false;
    bool cpu_only = false;
};

const std::array<Template, 5>& all_templates() {
    static const std::array<Template, 5> kTemplates = {
        Template{"cpu", {"common", "elementwise"}, false, true},
        Template{"elementwise", {"common", "elementwise"}},
        Template{"gemm-fp8", {"common"}, true},
        Template{"python", {"common", "python"}},
        Template{"stable-abi", {"common", "elementwise", "stable-abi"}}};
    return kTemplates;
}

Result<const Template*> find_template(const std::string& name) {
    for (const auto& entry : all_templates())
        if (entry.name == name)
            return &entry;
    return support::fail(ErrorKind::usage,
                         fmt::format("there is no template `{}`", name),
                         "templates: " + support::join(template_names(), ", "));
}

Result<std::vector<Backend>> backends_of(const Template& chosen, const ScaffoldOptions& options) {
    std::vector<Backend> available{Backend::cpu};
    if (!chosen.cpu_only)
        available.push_back(Backend::rocm);
    if (options.backends.empty())
        return available;
    std::vector<Backend> wanted = options.backends;
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    const bool fits =
        std::includes(available.begin(), available.end(), wanted.begin(), wanted.end());
    if (!fits || (chosen.is_example && wanted != available))
        return support::fail(
            ErrorKind::usage,
            fmt::format("the template `{}` is not for these backends", chosen.name),
            chosen.is_example ? "it has `cpu` and `rocm`; leave `--backend` out"
            : chosen.cpu_only ? "it has `cpu`; use `elementwise` for `rocm`"
                              : "kbuild builds `cpu` and `rocm`");
    return wanted;
}

bool has(const std::vector<Backend>& backends, Backend backend) {
    return std::find(backends.begin(), backends.end(), backend) != backends.end();
}

/// The blocks that stay in the files.
std::set<std::string> block_names(const Template& chosen, const std::vector<Backend>& backends) {
    std::set<std::string> names{std::string(chosen.name)};
    for (const auto backend : backends)
        names.insert(std::string(to_string(backend)));
    if (backends.size() > 1)
        names.insert("both");
    return names;
}

std::string hub_section(const std::string& repo_id) {
    return repo_id.empty() ? "" : fmt::format("\n[general.hub]\nrepo-id = \"{}\"\n", repo_id);
}

std::string quoted_list(const std::vector<Backend>& backends) {
    std::vector<std::string> names;
    for (const auto backend : backends)
        names.push_back(fmt::format("\"{}\"", to_string(backend)));
    return support::join(names, ", ");
}

std::string devices(const Template& chosen, const std::vector<Backend>& backends) {
    if (chosen.name == "python")
        return "every device of torch";
    std::vector<std::string> names;
    if (has(backends, Backend::rocm))
        names.emplace_back("AMD MI300X (gfx942)");
    if (has(backends, Backend::cpu))
        names.emplace_back("CPU");
    return support::join(names, " and ");
}

/// Files whose names start with a dot are kept as `dot-<name>` in templates, where tools do not
/// overlook them.
std::string real_path(const std::string& path) {
    return path.starts_with("dot-") ? "." + path.substr(4) : path;
}

/// The path below `folder/`; none if `name` is elsewhere.
std::optional<std::string> below(std::string_view name, std::string_view folder) {
    const auto start = std::string(folder) + "/";
    if (!name.starts_with(start))
        return std::nullopt;
    return std::string(name.substr(start.size()));
}

/// Sources of a backend that is not wanted.
bool is_left_out(const std::string& path, const std::vector<Backend>& backends) {
    return (path.starts_with("@module@_hip/") && !has(backends, Backend::rocm)) ||
           (path.starts_with("@module@_cpu/") && !has(backends, Backend::cpu));
}

void add_template_files(const Template& chosen,
                        const std::vector<Backend>& backends,
                        const Values& values,
                        model::FileSet& files) {
    const auto blocks = block_names(chosen, backends);
    for (const auto folder : chosen.folders)
        for (const auto& file : support::embedded::templates()) {
            const auto path = below(file.name, "init/" + std::string(folder));
            if (path && !is_left_out(*path, backends))
                files[real_path(fill(*path, values))] =
                    fill(keep_blocks(file.text, blocks), values);
        }
}

/// An example keeps its own sources; only its names become those of the new project. Its matrix is
/// this repository's, and its README is about the example.
void add_example_files(const Template& chosen, const Values& values, model::FileSet& files) {
    const std::vector<std::pair<std::string, std::string>> renamed = {
        {"kernels-test/" + std::string(chosen.name), values.at("repo_id")},
        {"torch-ext/gemm/", "torch-ext/" + values.at("module") + "/"},
        {"name = \"gemm\"", "name = \"" + values.at("name") + "\""},
        {"license = \"Apache-2.0\"", "license = \"" + values.at("license") + "\""}};
    std::erase_if(files, [](const auto& file) {
        return file.first.starts_with("tests/") || file.first.starts_with("benchmarks/");
    });
    for (const auto& file : support::embedded::examples()) {
        const auto path = below(file.name, chosen.name);
        if (!path || *path == "README.md" || *path == "kbuild.toml")
            continue;
        std::string text(file.text);
        auto name = *path;
        for (const auto& [from, to] : renamed) {
            text = support::replace_all(std::move(text), from, to);
            name = support::replace_all(std::move(name), from, to);
        }
        files[name] = std::move(text);
    }
}

} // namespace

std::string fill(std::string_view text, const Values& values) {
    std::string result(text);
    for (const auto& [key, value] : values)
        result = support::replace_all(std::move(result), "@" + key + "@", value);
    return result;
}

std::string keep_blocks(std::string_view text, const std::set<std::string>& names) {
    std::string result;
    bool keep = true;
    while (!text.empty()) {
        const auto line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
        text.remove_prefix(line.size());
        const auto words = support::trim(line);
        if (words.starts_with("@if ") && words.ends_with("@"))
            keep = names.count(std::string(words.substr(4, words.size() - 5))) != 0;
        else if (words == "@end@")
            keep = true;
        else if (keep)
            result += line;
    }
    return result;
}

std::vector<std::string> template_names() {
    std::vector<std::string> names;
    for (const auto& entry : all_templates())
        names.emplace_back(entry.name);
    return names;
}

Result<model::FileSet> scaffold(const ScaffoldOptions& options) {
    const auto display = support::replace_all(options.repo, "_", "-");
    const auto name = model::KernelName::parse(support::to_lower(display));
    if (!name)
        return support::fail(ErrorKind::usage,
                             fmt::format("`{}` cannot be the name of a kernel", options.repo),
                             "use letters, digits and dashes, starting with a letter: `my-kernel`");
    KB_TRY_ASSIGN(chosen, find_template(options.template_name));
    KB_TRY_ASSIGN(backends, backends_of(*chosen, options));
    const auto repo_id = options.owner ? *options.owner + "/" + display : std::string();
    const Values values = {{"name", name->text()},
                           {"module", name->module()},
                           {"license", options.license},
                           {"license_id", support::to_lower(options.license)},
                           {"backends", quoted_list(backends)},
                           {"devices", devices(*chosen, backends)},
                           {"repo_id", repo_id.empty() ? "your-name/" + display : repo_id},
                           {"hub", hub_section(repo_id)}};
    model::FileSet files;
    add_template_files(*chosen, backends, values, files);
    if (chosen->is_example)
        add_example_files(*chosen, values, files);
    return files;
}

} // namespace kbuild::generate
