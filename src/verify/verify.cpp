#include "kbuild/verify/verify.hpp"

#include "subject.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"

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

/// Everything about the library's content; returns early when it cannot be read, which is a
/// finding.
void check_content(const Subject& subject,
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
    const auto subject = check_layout(variant_dir, expectations, sink);
    check_digest(subject, sink);
    check_imports(subject, sink);
    if (subject.library)
        check_content(subject, expectations, facts, sink);
    return facts;
}

} // namespace kbuild::verify
