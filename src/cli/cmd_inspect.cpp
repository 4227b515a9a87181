#include "commands.hpp"
#include "inspect_asm.hpp"
#include "inspect_diff.hpp"
#include "inspect_files.hpp"
#include "inspect_report.hpp"

#include "kbuild/config/load.hpp"
#include "kbuild/inspect/budget.hpp"
#include "kbuild/inspect/file_report.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <functional>
#include <memory>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

struct InspectOptions {
    std::vector<std::string> paths = {"."};
    std::string format = "text";
    bool arguments = false;
    std::string diff; ///< the other, newer file; empty: none
    std::vector<std::string> fail_on;
    std::string assembly; ///< a kernel
    std::string html;     ///< a file for the page; empty: none
};

/// Shows what exceeds the budgets of the project that the current folder is in, if it is in one;
/// the exit code for that.
Result<int> check_against_budgets(const Context& context,
                                  const std::vector<inspect::FileReport>& files) {
    const auto root = config::find_project(fs::current_path());
    if (!root)
        return 0;
    diag::Collector findings;
    KB_TRY_ASSIGN(settings, config::load_settings(*root, findings));
    const auto kind = settings ? ErrorKind::content : ErrorKind::config;
    const auto budgets = settings ? settings->budgets : std::vector<model::Budget>();
    for (const auto& file : files)
        inspect::check_budgets(
            file.code, file.bytes, budgets, support::display_path(file.path), findings);
    context.show(findings);
    return findings.has_errors() ? support::exit_code(kind) : 0;
}

/// The page of `--html`, if it is asked for; `body` is what stands below its title.
Result<void> write_page(const InspectOptions& options, const std::function<ui::Html()>& body) {
    if (options.html.empty())
        return {};
    const auto title = "kbuild inspect: " + support::join(options.paths, " ");
    auto page = ui::element("h1", title);
    page += body();
    return support::write_file_atomically(options.html, ui::html_page(title, page));
}

/// Shows every file that can be read; those that cannot are errors, but do not hide the others.
Result<int> inspect_all(const Context& context, const InspectOptions& options) {
    KB_TRY_ASSIGN(inputs, find_inspected_files(options.paths));
    std::vector<inspect::FileReport> files;
    int code = 0;
    for (const auto& input : inputs.files) {
        auto file = inspect_shown(input);
        if (file) {
            files.push_back(std::move(*file));
            continue;
        }
        context.show(file.error());
        code = support::exit_code(support::ErrorKind::content);
    }
    context.data(options.format == "json" ? inspect_json(files)
                                          : inspect_text(files, options.arguments));
    KB_TRY(write_page(options, [&files] { return inspect_html(files, 2); }));
    KB_TRY_ASSIGN(exceeded, check_against_budgets(context, files));
    return exceeded != 0 ? exceeded : code;
}

Result<inspect::FileReport> the_only_file(const std::vector<std::string>& paths) {
    KB_TRY_ASSIGN(inputs, find_inspected_files(paths));
    if (inputs.files.size() != 1)
        return support::fail(ErrorKind::usage,
                             fmt::format("`--diff` compares two libraries, and `{}` has {}",
                                         support::join(paths, " "),
                                         inputs.files.size()),
                             "name one library or one variant");
    return inspect_shown(inputs.files.front());
}

/// What `other` has become since PATH.
Result<int> show_diff(const Context& context, const InspectOptions& options) {
    KB_TRY_ASSIGN(fail_on, parse_measures(options.fail_on));
    KB_TRY_ASSIGN(before, the_only_file(options.paths));
    KB_TRY_ASSIGN(after, the_only_file({options.diff}));
    const auto changes = inspect::diff(before, after);
    context.data(options.format == "json" ? diff_json(changes) : diff_text(changes));
    KB_TRY(write_page(options, [&] {
        auto body = diff_html(changes, before.path, after.path);
        body += inspect_html({before, after}, 2);
        return body;
    }));
    KB_TRY(check_regressions(changes, fail_on));
    return 0;
}

Result<int> show_assembly(const Context& context, const InspectOptions& options) {
    KB_TRY_ASSIGN(inputs, find_inspected_files(options.paths));
    KB_TRY_ASSIGN(text, disassemble(context, inputs.files, options.assembly));
    context.data(text);
    return 0;
}

Result<int> run_inspect(const Context& context, const InspectOptions& options) {
    if (options.diff.empty() && !options.fail_on.empty())
        return support::fail(ErrorKind::usage,
                             "`--fail-on` says which differences are errors, and there is no "
                             "`--diff`");
    if (!options.diff.empty())
        return show_diff(context, options);
    if (!options.assembly.empty())
        return show_assembly(context, options);
    return inspect_all(context, options);
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
                 .help = "variants, libraries, code objects, wheels, or folders (default: .)"});
            app.flag(
                options->arguments,
                {.names = "--arguments", .help = "show the layout of each kernel's arguments"});
            app.value(options->diff,
                      {.names = "--diff",
                       .help = "compare with a newer file: registers, scratch, code, symbols, …",
                       .type = "OTHER"});
            app.values(options->fail_on,
                       {.names = "--fail-on",
                        .help = "with --diff: figures that must not become worse (exit 6)",
                        .type = "FIGURE"});
            app.value(options->assembly,
                      {.names = "--asm",
                       .help = "disassemble a kernel with llvm-objdump",
                       .type = "KERNEL"});
            app.value(options->html,
                      {.names = "--html",
                       .help = "also write it, or the comparison, as a page of its own",
                       .type = "FILE"});
            declare_format(app, options->format, {"text", "json"});
            return [options](Context& context) { return run_inspect(context, *options); };
        }};
}

} // namespace kbuild::cli
