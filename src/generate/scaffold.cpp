#include "kbuild/generate/scaffold.hpp"

#include "kbuild/model/kernel_name.hpp"
#include "kbuild/support/embedded.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace kbuild::generate {
namespace {

using support::ErrorKind;

constexpr std::string_view kFolder = "init/";

/// `init/<template>/<path>` split into template and path; empty for other embedded files.
std::pair<std::string, std::string> split_name(std::string_view name) {
    if (!name.starts_with(kFolder))
        return {};
    name.remove_prefix(kFolder.size());
    const auto slash = name.find('/');
    return {std::string(name.substr(0, slash)), std::string(name.substr(slash + 1))};
}

std::string hub_section(const std::string& repo_id) {
    return repo_id.empty() ? "" : fmt::format("\n[general.hub]\nrepo-id = \"{}\"\n", repo_id);
}

/// Files whose names start with a dot are kept as `dot-<name>` in templates, where tools do not
/// overlook them.
std::string real_path(std::string path) {
    return path.starts_with("dot-") ? "." + path.substr(4) : path;
}

} // namespace

std::string fill(std::string_view text, const std::map<std::string, std::string>& values) {
    std::string result(text);
    for (const auto& [key, value] : values)
        result = support::replace_all(std::move(result), "@" + key + "@", value);
    return result;
}

std::vector<std::string> template_names() {
    std::set<std::string> names;
    for (const auto& file : support::embedded::templates())
        if (const auto name = split_name(file.name).first; !name.empty())
            names.insert(name);
    return {names.begin(), names.end()};
}

support::Result<model::FileSet> scaffold(const ScaffoldOptions& options) {
    const auto display = support::replace_all(options.repo, "_", "-");
    const auto name = model::KernelName::parse(support::to_lower(display));
    if (!name)
        return support::fail(ErrorKind::usage,
                             fmt::format("`{}` cannot be the name of a kernel", options.repo),
                             "use letters, digits and dashes, starting with a letter: `my-kernel`");
    const auto repo_id = options.owner ? *options.owner + "/" + display : std::string();
    const std::map<std::string, std::string> values = {
        {"name", name->text()},
        {"module", name->module()},
        {"license", options.license},
        {"license_id", support::to_lower(options.license)},
        {"repo_id", repo_id.empty() ? "your-name/" + display : repo_id},
        {"hub", hub_section(repo_id)}};
    model::FileSet files;
    for (const auto& file : support::embedded::templates()) {
        const auto [template_name, path] = split_name(file.name);
        if (template_name == options.template_name)
            files[real_path(fill(path, values))] = fill(file.text, values);
    }
    if (files.empty())
        return support::fail(ErrorKind::usage,
                             fmt::format("there is no template `{}`", options.template_name),
                             "templates: " + support::join(template_names(), ", "));
    return files;
}

} // namespace kbuild::generate
