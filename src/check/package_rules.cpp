#include "python_tables.hpp"
#include "rules.hpp"

#include "kbuild/diag/finding.hpp"
#include "kbuild/sources/place.hpp"
#include "kbuild/sources/python_file.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kbuild::check {
namespace {

namespace fs = std::filesystem;

/// The Python package of the project.
struct Package {
    fs::path root;                     ///< of the project
    std::string folder;                ///< `torch-ext`
    std::string module;                ///< `my_kernel`; empty if the name cannot be mended
    std::vector<std::string> files;    ///< below `folder`, with `/`, sorted
    std::set<std::string> own_modules; ///< that stand beside `__init__.py`
    std::set<std::string, std::less<>> allowed_modules; ///< that may be imported
};

std::string module_of(const config::General& general) {
    const auto name = support::replace_all(
        support::to_lower(support::trim(general.written_name.value)), "_", "-");
    const auto parsed = model::KernelName::parse(name);
    return parsed ? parsed->module() : std::string();
}

std::vector<std::string> files_of(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& file : support::list_files(folder).value_or(std::vector<fs::path>()))
        names.push_back(file.generic_string());
    return names;
}

/// The standard library, torch with what its wheel brings, and what build.toml declares.
std::set<std::string, std::less<>> allowed_modules(const config::BuildConfig& config) {
    auto allowed = read_standard_modules();
    allowed.insert({"torch", "functorch", "torchgen", "triton"});
    const auto depends = read_python_depends();
    const auto add = [&](const config::Strings& names, const DependencyTable& table) {
        for (const auto& name : names)
            if (const auto found = table.find(name.value); found != table.end())
                allowed.insert(found->second.begin(), found->second.end());
    };
    add(config.general.python_depends, depends.general);
    for (const auto& [backend, options] : config.general.backend_options) {
        add(options.python_depends, depends.general);
        if (const auto own = depends.backends.find(to_string(backend));
            own != depends.backends.end())
            add(options.python_depends, own->second);
    }
    return allowed;
}

Package package_of(const Subject& subject) {
    Package package;
    package.root = subject.root;
    const bool tvm = subject.config.framework.kind == config::FrameworkKind::tvm_ffi;
    package.folder = tvm ? "tvm-ffi-ext" : "torch-ext";
    package.module = module_of(subject.config.general);
    package.files = files_of(subject.root / package.folder);
    for (const auto& file : package.files) {
        if (package.module.empty() || !file.starts_with(package.module + "/"))
            continue;
        auto inner = file.substr(package.module.size() + 1);
        const auto slash = inner.find('/');
        if (slash == std::string::npos && inner.ends_with(".py"))
            package.own_modules.insert(inner.substr(0, inner.size() - 3));
        else if (slash != std::string::npos && inner.ends_with("/__init__.py"))
            package.own_modules.insert(inner.substr(0, slash));
    }
    package.own_modules.insert("_ops"); // written when the kernel is built
    return package;
}

// ----- Layout -----------------------------------------------------------------------------------

/// A folder with an `__init__.py` that was probably meant to be the module.
std::string folder_to_rename(const Package& package) {
    for (const auto& file : package.files)
        if (file.ends_with("/__init__.py") && std::count(file.begin(), file.end(), '/') == 1)
            return file.substr(0, file.find('/'));
    return {};
}

void check_layout(const Package& package, const Subject& subject, diag::Sink& sink) {
    const auto& name = subject.config.general.written_name;
    if (package.module.empty() || !name.span)
        return;
    const bool misnamed = package.module != subject.config.general.name.value.module();
    if (!subject.is_complete && !misnamed)
        return;
    const auto has = [&package](const std::string& file) {
        return std::binary_search(package.files.begin(), package.files.end(), file);
    };
    if (!has(package.module + "/__init__.py")) {
        auto problem =
            mistake("K0424",
                    fmt::format("there is no `{}/{}/__init__.py`", package.folder, package.module),
                    name.span,
                    "the name decides the folder's name");
        if (const auto folder = folder_to_rename(package); !folder.empty())
            problem.help.push_back(fmt::format(
                "rename `{0}/{1}` to `{0}/{2}`", package.folder, folder, package.module));
        else
            problem.help.emplace_back("write the module that users import");
        sink.report(std::move(problem));
    }
    if (support::path_exists(package.root / package.folder / package.module / package.module))
        sink.report(warning("K0425",
                            fmt::format("upstream refuses a folder `{0}` in `{1}/{0}`",
                                        package.module,
                                        package.folder),
                            name.span,
                            "its name is that of the package"));
}

// ----- Data files -------------------------------------------------------------------------------

std::string extension_of(const std::string& file) {
    const auto extension = fs::path(file).extension().string();
    return extension.empty() ? std::string() : extension.substr(1);
}

/// Python itself, what tools leave behind, and what nobody expects to be shipped.
bool is_no_data(const std::string& file) {
    constexpr std::array<std::string_view, 7> kExtensions = {
        "py", "pyi", "pyc", "md", "orig", "rej", "swp"};
    const auto name = fs::path(file).filename().string();
    return name.starts_with('.') || name == "LICENSE" || name == "py.typed" ||
           support::contains(file, "__pycache__/") ||
           std::find(kExtensions.begin(), kExtensions.end(), extension_of(file)) !=
               kExtensions.end() ||
           sources::source_kind(file) != sources::SourceKind::other;
}

void check_data_files(const Package& package, const Subject& subject, diag::Sink& sink) {
    const auto shipped = subject.config.data_extensions();
    std::map<std::string, std::string> first_of; // extension -> file
    for (const auto& file : package.files) {
        if (package.module.empty() || !file.starts_with(package.module + "/") || is_no_data(file))
            continue;
        const auto extension = extension_of(file);
        if (std::find(shipped.begin(), shipped.end(), extension) == shipped.end())
            first_of.emplace(extension, file);
    }
    const auto& framework = subject.config.framework;
    const bool listed = framework.pyext && !framework.pyext->empty();
    for (const auto& [extension, file] : first_of) {
        auto problem = warning("K0418",
                               fmt::format("`{}/{}` is not shipped", package.folder, file),
                               listed ? framework.pyext->front().span : framework.span,
                               extension.empty() ? "files without an extension are never shipped"
                                                 : fmt::format("`pyext` has no `{}`", extension));
        if (!extension.empty())
            problem.help.push_back(
                listed ? fmt::format("add `\"{}\"` to `pyext`", extension)
                       : fmt::format("write `pyext = [\"py\", \"{}\"]`", extension));
        sink.report(std::move(problem));
    }
}

// ----- Python -----------------------------------------------------------------------------------

/// One Python file with what its diagnostics need.
class PythonChecker {
  public:
    PythonChecker(const Package& package,
                  const std::string& file,
                  std::string text,
                  diag::Sink& sink)
        : package_(package), file_(file), scanned_(sources::scan_python(std::move(text))),
          sink_(sink) {}

    void run() {
        for (const auto& import : scanned_.imports)
            check_import(import);
        for (const auto& decorator : scanned_.decorators)
            check_decorator(decorator);
    }

  private:
    diag::SourceSpan span(std::size_t offset, std::size_t length) {
        if (shown_ == nullptr)
            shown_ = source_file(package_.root / package_.folder / file_, scanned_.text);
        return sources::span_at(shown_, offset, length);
    }

    void check_import(const sources::PythonImport& import) {
        if (import.relative || import.guarded || import.module.empty())
            return;
        const auto top = import.module.substr(0, import.module.find('.'));
        if (top == package_.module || package_.own_modules.contains(top))
            return report_self_import(import, top);
        if (package_.allowed_modules.contains(top))
            return;
        auto problem = warning("K0321",
                               fmt::format("`{}` is not sure to be there", top),
                               span(import.offset, import.length),
                               "neither standard library, torch, nor a declared dependency");
        problem.notes.emplace_back("who loads the kernel may not have it; kernels declare what "
                                   "they need in `python-depends`, from a short list");
        problem.help.emplace_back(
            "do without it, declare it if it is on the list, or put the import into a `try`");
        sink_.report(std::move(problem));
    }

    /// How many folders below the module's own the file is.
    std::string dots_to_module() const {
        const auto inside = file_.substr(file_.find('/') + 1);
        return std::string(
            1 + static_cast<std::size_t>(std::count(inside.begin(), inside.end(), '/')), '.');
    }

    void report_self_import(const sources::PythonImport& import, const std::string& top) {
        auto problem = mistake("K0320",
                               fmt::format("the kernel imports itself as `{}`", import.module),
                               span(import.offset, import.length),
                               "an absolute import of the package's own code");
        problem.notes.emplace_back("the loader gives the package another name, so this finds "
                                   "nothing, or another copy");
        const auto rest = top == package_.module
                              ? import.module.substr(std::min(top.size() + 1, import.module.size()))
                              : import.module;
        problem.help.push_back(
            fmt::format("write it relative: `from {}{} import …`", dots_to_module(), rest));
        sink_.report(std::move(problem));
    }

    void check_decorator(const sources::Decorator& decorator) {
        // Those that upstream's check of the registrations knows (upstream.md 7.3).
        constexpr std::array<std::string_view, 6> kRegister = {"custom_op",
                                                               "triton_op",
                                                               "register_kernel",
                                                               "register_fake",
                                                               "register_vmap",
                                                               "register_torch_dispatch"};
        const bool registers =
            std::find(kRegister.begin(), kRegister.end(), decorator.name) != kRegister.end();
        if (!registers || decorator.first_is_prefix_call)
            return;
        auto problem =
            warning("K0322",
                    fmt::format("`{}` without `add_op_namespace_prefix`", decorator.name),
                    span(decorator.offset, decorator.length),
                    "registers under a fixed name");
        problem.notes.emplace_back("two versions of the kernel in one process would clash; "
                                   "upstream's build refuses it");
        problem.help.push_back(
            fmt::format("write `@{}(add_op_namespace_prefix(\"name\"), …)`, with `from ._ops "
                        "import add_op_namespace_prefix`",
                        decorator.name));
        sink_.report(std::move(problem));
    }

    const Package& package_;
    const std::string& file_;
    sources::PythonFile scanned_;
    diag::SourceFilePtr shown_;
    diag::Sink& sink_;
};

} // namespace

void check_package(const Subject& subject, diag::Sink& sink) {
    auto package = package_of(subject);
    check_layout(package, subject, sink);
    check_data_files(package, subject, sink);
    package.allowed_modules = allowed_modules(subject.config);
    for (const auto& file : package.files) {
        if (!file.ends_with(".py"))
            continue;
        if (auto text = support::read_file(subject.root / package.folder / file))
            PythonChecker(package, file, std::move(*text), sink).run();
    }
}

} // namespace kbuild::check
