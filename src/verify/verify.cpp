#include "kbuild/verify/verify.hpp"

#include "subject.hpp"

#include "kbuild/elf/library_name.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::verify {
namespace {

namespace fs = std::filesystem;
using support::Result;

std::vector<std::string> without_empty(std::vector<std::string> lines) {
    std::erase(lines, std::string());
    return lines;
}

std::uintmax_t total_bytes(const fs::path& folder, const std::vector<fs::path>& files) {
    std::uintmax_t bytes = 0;
    for (const auto& file : files)
        bytes += support::size_of_file(folder / file);
    return bytes;
}

void add(inspect::DeviceCode& code, inspect::DeviceCode&& more) {
    code.objects.insert(code.objects.end(), more.objects.begin(), more.objects.end());
    inspect::sort_by_arch(code.objects);
    code.bundles += more.bundles;
    code.compressed_bundles += more.compressed_bundles;
}

/// A library beside the extension: it has to load where that does, and its device code is the
/// variant's too.
void check_companion(Subject subject,
                     const fs::path& library,
                     const Expectations& expectations,
                     VariantFacts& facts,
                     diag::Sink& sink) {
    subject.library = library;
    const auto file = elf::read_elf(library);
    if (!file)
        return report(sink, "K0601", file.error());
    check_abi(subject, *file, expectations, sink);
    check_paths(subject, expectations, sink);
    auto code = inspect::read_device_code(library);
    if (!code)
        return report(sink, "K0617", code.error());
    add(facts.device_code, std::move(*code));
}

/// The variant's libraries other than the extension.
std::vector<fs::path> companions_of(const Subject& subject, const std::vector<fs::path>& files) {
    std::vector<fs::path> companions;
    for (const auto& file : files)
        if (elf::is_library_name(file) && subject.folder / file != *subject.library)
            companions.push_back(subject.folder / file);
    return companions;
}

std::set<std::string> names_of(const std::vector<fs::path>& libraries) {
    std::set<std::string> names;
    for (const auto& library : libraries) {
        const auto file = elf::read_elf(library);
        for (const auto& symbol : file ? file->symbols : std::vector<elf::Symbol>())
            if (symbol.defined)
                names.insert(symbol.name);
    }
    return names;
}

/// Everything about the library's content; returns early when it cannot be read, which is a
/// finding.
void check_content(const Subject& subject,
                   const std::vector<fs::path>& companions,
                   const Expectations& expectations,
                   VariantFacts& facts,
                   diag::Sink& sink) {
    const auto& library = *subject.library;
    facts.library = library.filename().string();
    const auto digest = support::sha256_file(library);
    if (!digest)
        return report(sink, "K0601", digest.error());
    facts.sha256 = support::to_hex(*digest);
    const auto file = elf::read_elf(library);
    if (!file)
        return report(sink, "K0601", file.error());
    check_library(subject, *file, expectations, sink);
    check_abi(subject, *file, expectations, sink);
    facts.unresolved = check_symbols(subject, *file, expectations, sink);
    check_paths(subject, expectations, sink);
    facts.ops = check_ops(subject, *file, sink);
    auto code = inspect::read_device_code(library);
    if (!code)
        return report(sink, "K0617", code.error());
    facts.device_code = std::move(*code);
    for (const auto& companion : companions)
        check_companion(subject, companion, expectations, facts, sink);
    facts.kernels = facts.device_code.kernel_count();
    check_device_code(subject, facts.device_code, expectations, sink);
}

} // namespace

void report(diag::Sink& sink,
            diag::Severity severity,
            std::string code,
            std::string message,
            std::vector<std::string> notes,
            std::vector<std::string> help) {
    diag::Diagnostic diagnostic;
    diagnostic.severity = severity;
    diagnostic.code = std::move(code);
    diagnostic.message = std::move(message);
    diagnostic.notes = without_empty(std::move(notes));
    diagnostic.help = without_empty(std::move(help));
    sink.report(std::move(diagnostic));
}

void report(diag::Sink& sink, std::string code, const support::Error& error) {
    std::vector<std::string> notes;
    for (const auto& frame : error.context)
        notes.push_back("while " + frame);
    report(sink,
           diag::Severity::error,
           std::move(code),
           error.message,
           std::move(notes),
           {error.hint});
}

Result<VariantFacts>
verify_variant(const fs::path& variant_dir, const Expectations& expectations, diag::Sink& sink) {
    if (!support::is_folder(variant_dir))
        return support::fail(
            support::ErrorKind::content,
            fmt::format("there is no folder `{}`", support::display_path(variant_dir)));
    KB_TRY_ASSIGN(files, support::list_files(variant_dir));
    VariantFacts facts;
    facts.bytes = total_bytes(variant_dir, files);
    auto subject = check_layout(variant_dir, expectations, sink);
    check_digest(subject, sink);
    check_imports(subject, sink);
    if (subject.library) {
        const auto companions = companions_of(subject, files);
        subject.companion_names = names_of(companions);
        check_content(subject, companions, expectations, facts, sink);
    }
    return facts;
}

} // namespace kbuild::verify
