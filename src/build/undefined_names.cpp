#include "undefined_names.hpp"

#include "kbuild/inspect/symbol_name.hpp"
#include "kbuild/process/runner.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <regex>

namespace kbuild::build {
namespace {

using support::ErrorKind;
using support::Result;

/// What the linker says before a reference: `x.o: in function `f':` (GNU ld), or after it (lld).
struct Parser {
    std::map<std::string, UndefinedReference> first;
    std::string object;
    std::string function;
    std::string open; ///< lld: the name whose references follow

    void add(const std::string& name) {
        first.try_emplace(name, UndefinedReference{name, object, function});
    }

    void read_gnu(const std::string& line) {
        static const std::regex in_function(R"(^(?:.*ld[^ ]*: )?(.+): in function `(.+)':$)");
        static const std::regex reference(
            R"(^(?:.*ld[^ ]*: )?(.*):\([^ ]*\): (?:more )?undefined references? to `(.+)'.*$)");
        std::smatch match;
        if (std::regex_match(line, match, in_function)) {
            object = match[1];
            function = match[2];
        } else if (std::regex_match(line, match, reference)) {
            // Without an `in function` line of its own: data, or the object is named here.
            if (object.empty())
                object = match[1];
            add(match[2]);
        }
    }

    void read_lld(const std::string& line) {
        static const std::regex undefined(R"(^.*error: undefined symbol: (.+)$)");
        static const std::regex place(R"(^>>>\s+(?:referenced by )?(.+):\(([^ ].*)\)$)");
        std::smatch match;
        if (std::regex_match(line, match, undefined)) {
            open = match[1];
        } else if (!open.empty() && std::regex_match(line, match, place) &&
                   support::contains(match[1].str(), ".o")) {
            first.try_emplace(open, UndefinedReference{open, match[1], match[2]});
            open.clear();
        }
    }
};

/// The command that links a target, as Ninja would run it.
Result<std::string> link_command(const PlannedVariant& variant,
                                 const WorkFolder& folder,
                                 const toolchain::HostTools& tools) {
    KB_TRY_ASSIGN(
        output,
        process::run_ok({tools.ninja,
                         {"-C", folder.work.string(), "-t", "commands", "-s", variant.target},
                         {},
                         process::clean_environment()},
                        ErrorKind::failed));
    std::string command;
    for (const auto& line : support::split(output.out, '\n'))
        if (!support::trim(line).empty() && !line.starts_with("ninja: "))
            command = line;
    // CMake writes `: && <link> && :`.
    const std::size_t begin = command.starts_with(": && ") ? 5 : 0;
    const auto end = command.ends_with(" && :") ? command.size() - 5 : command.size();
    return command.substr(begin, end - begin);
}

Result<std::string> ask_linker(const PlannedVariant& variant,
                               const WorkFolder& folder,
                               const toolchain::HostTools& tools) {
    KB_TRY_ASSIGN(command, link_command(variant, folder, tools));
    KB_TRY_ASSIGN(scratch, support::TempDir::create(folder.stage, "undefined-"));
    command += fmt::format(" -o {} -Wl,--no-undefined,--no-demangle",
                           support::shell_quote((scratch.path() / "none.so").string()));
    KB_TRY_ASSIGN(
        output,
        process::run({"/bin/sh", {"-c", command}, folder.work, process::clean_environment()},
                     {.merge_stderr = true}));
    return output.out;
}

/// `GLIBC_2.32` -> `glibc 2.32`.
std::string said_version(const std::string& version) {
    if (version.starts_with("GLIBC_"))
        return "glibc " + version.substr(6);
    return version;
}

/// CMake's name of an object tells its source: `…/x.dir/home/me/k/c/c.cpp.o` -> `…/k/c/c.cpp`.
std::string source_of(std::string object) {
    if (const auto at = object.find(".dir/"); at != std::string::npos)
        object.erase(0, at + 5);
    return object.ends_with(".o") ? object.substr(0, object.size() - 2) : object;
}

diag::Diagnostic diagnose(const std::string& name,
                          const portable::NewerName& newer,
                          const UndefinedReference* reference,
                          const PlannedVariant& variant) {
    diag::Diagnostic finding;
    finding.code = "K0711";
    finding.message =
        fmt::format("`{}` of `{}` came with {}, and the library is to load on older systems",
                    inspect::readable_symbol(name),
                    newer.library,
                    said_version(newer.version));
    if (reference != nullptr && reference->function.empty())
        finding.notes.push_back(fmt::format("used in `{}`", source_of(reference->object)));
    else if (reference != nullptr)
        finding.notes.push_back(fmt::format("used by `{}` in `{}`",
                                            inspect::readable_symbol(reference->function),
                                            source_of(reference->object)));
    if (reference != nullptr)
        finding.notes.push_back(fmt::format("object `{}`", reference->object));
    finding.notes.push_back("variant " + variant.selected.variant.name());
    finding.help = {
        "do without it, or set a later `[build] policy` in kbuild.toml (`none`: this machine's "
        "systems only)"};
    return finding;
}

} // namespace

std::vector<UndefinedReference> parse_undefined(std::string_view linker_output) {
    Parser parser;
    for (const auto& line : support::split(linker_output, '\n')) {
        parser.read_gnu(line);
        parser.read_lld(line);
    }
    std::vector<UndefinedReference> references;
    for (auto& [name, reference] : parser.first)
        references.push_back(std::move(reference));
    return references;
}

Result<std::vector<diag::Diagnostic>> explain_undefined(const std::vector<std::string>& names,
                                                        const PlannedVariant& variant,
                                                        const portable::Baseline& baseline,
                                                        const WorkFolder& folder,
                                                        const toolchain::HostTools& tools) {
    KB_TRY_ASSIGN(newer, portable::newer_names(baseline));
    std::vector<std::string> known;
    for (const auto& name : names)
        if (newer.contains(name))
            known.push_back(name);
    std::vector<diag::Diagnostic> findings;
    if (known.empty())
        return findings;
    KB_TRY_ASSIGN(said, ask_linker(variant, folder, tools));
    const auto references = parse_undefined(said);
    for (const auto& name : known) {
        const UndefinedReference* where = nullptr;
        for (const auto& reference : references)
            if (reference.name == name)
                where = &reference;
        findings.push_back(diagnose(name, newer.at(name), where, variant));
    }
    return findings;
}

} // namespace kbuild::build
