#pragma once

#include "kbuild/diag/sink.hpp"
#include "kbuild/elf/elf_file.hpp"
#include "kbuild/inspect/device_code.hpp"
#include "kbuild/layout/metadata.hpp"
#include "kbuild/model/variant.hpp"
#include "kbuild/verify/verify.hpp"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace kbuild::verify {

/// The variant that is checked: what was read of it so far. Checks of one part skip what another
/// part lacks.
struct Subject {
    std::filesystem::path folder;
    std::filesystem::path shown_as; ///< how messages call the folder
    std::optional<model::Variant> variant;
    std::optional<layout::Metadata> metadata;
    std::filesystem::path package;                ///< where __init__.py is or belongs
    std::optional<std::filesystem::path> library; ///< the extension
    std::set<std::string> companion_names;        ///< what the variant's other libraries export

    /// How messages call a path inside the folder.
    std::string place(const std::filesystem::path& path) const;
};

/// Reports a finding. Message: what and where; notes: why that matters; help: what mends it.
void report(diag::Sink& sink,
            diag::Severity severity,
            std::string code,
            std::string message,
            std::vector<std::string> notes = {},
            std::vector<std::string> help = {});

/// An operation that failed, as a finding of severity error.
void report(diag::Sink& sink, std::string code, const support::Error& error);

// Each reports what it finds (layout_checks.cpp, library_checks.cpp, device_checks.cpp,
// symbol_checks.cpp, abi_checks.cpp, path_checks.cpp, op_checks.cpp, import_checks.cpp).
Subject check_layout(const std::filesystem::path& folder,
                     const Expectations& expectations,
                     diag::Sink& sink);
void check_digest(const Subject& subject, diag::Sink& sink);
void check_library(const Subject& subject,
                   const elf::ElfFile& file,
                   const Expectations& expectations,
                   diag::Sink& sink);
void check_device_code(const Subject& subject,
                       const inspect::DeviceCode& code,
                       const Expectations& expectations,
                       diag::Sink& sink);
/// Returns the names that nobody exports.
std::vector<std::string> check_symbols(const Subject& subject,
                                       const elf::ElfFile& file,
                                       const Expectations& expectations,
                                       diag::Sink& sink);
void check_abi(const Subject& subject,
               const elf::ElfFile& file,
               const Expectations& expectations,
               diag::Sink& sink);
void check_paths(const Subject& subject, const Expectations& expectations, diag::Sink& sink);
DeclaredOps check_ops(const Subject& subject, const elf::ElfFile& file, diag::Sink& sink);
void check_imports(const Subject& subject, diag::Sink& sink);

} // namespace kbuild::verify
