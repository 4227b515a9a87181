#include "kbuild/inspect/file_report.hpp"

#include "op_schemas.hpp"

#include "kbuild/support/file.hpp"

#include <elf.h>

namespace kbuild::inspect {
namespace {

constexpr std::uint64_t kMostStrings = std::uint64_t{64} << 20U; // bytes

/// Of a library that registers operators.
support::Result<std::vector<std::string>>
op_schemas(const std::filesystem::path& path, const elf::ElfFile& file, const HostCode& host) {
    const auto* const strings = file.section(".rodata");
    if (host.op_namespace.empty() || strings == nullptr || strings->size > kMostStrings)
        return std::vector<std::string>();
    KB_TRY_ASSIGN(bytes, elf::read_section(path, *strings));
    return find_op_schemas(bytes);
}

} // namespace

support::Result<FileReport> inspect_file(const std::filesystem::path& path) {
    FileReport report;
    report.path = path;
    KB_TRY_ASSIGN(code, read_device_code(path));
    report.code = std::move(code);
    report.bytes = support::size_of_file(path);
    // A file of bundles is no ELF file and needs nothing.
    if (const auto file = elf::read_elf(path); file && file->machine != EM_AMDGPU) {
        report.host = host_code(*file);
        KB_TRY_ASSIGN(schemas, op_schemas(path, *file, report.host));
        report.host.op_schemas = std::move(schemas);
    }
    return report;
}

} // namespace kbuild::inspect
