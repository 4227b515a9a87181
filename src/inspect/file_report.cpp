#include "kbuild/inspect/file_report.hpp"

#include "kbuild/inspect/registered_ops.hpp"
#include "kbuild/support/file.hpp"

#include <elf.h>

namespace kbuild::inspect {

support::Result<FileReport> inspect_file(const std::filesystem::path& path) {
    FileReport report;
    report.path = path;
    KB_TRY_ASSIGN(code, read_device_code(path));
    report.code = std::move(code);
    report.bytes = support::size_of_file(path);
    // A file of bundles is no ELF file and needs nothing.
    if (const auto file = elf::read_elf(path); file && file->machine != EM_AMDGPU) {
        report.host = host_code(*file);
        KB_TRY_ASSIGN(ops, read_registered_ops(path, *file));
        if (ops)
            report.host.op_schemas = std::move(ops->schemas);
    }
    return report;
}

} // namespace kbuild::inspect
