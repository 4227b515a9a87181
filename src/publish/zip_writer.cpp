#include "zip_writer.hpp"

#include <fmt/format.h>

#include <archive.h>
#include <archive_entry.h>
#include <memory>

namespace kbuild::publish {
namespace {

using support::Result;

/// The first moment that a zip archive can express.
constexpr time_t kNineteenEighty = 315532800;
constexpr std::size_t kBlock = 10240;

struct Free {
    void operator()(archive* value) const { archive_write_free(value); }
    void operator()(archive_entry* value) const { archive_entry_free(value); }
};

tl::unexpected<support::Error> failure(archive* zip) {
    const auto* const text = archive_error_string(zip);
    return support::fail(
        support::ErrorKind::failed,
        fmt::format("cannot write the archive: {}", text != nullptr ? text : "no reason given"));
}

la_ssize_t append(archive* /*zip*/, void* target, const void* bytes, std::size_t size) {
    static_cast<std::string*>(target)->append(static_cast<const char*>(bytes), size);
    return static_cast<la_ssize_t>(size);
}

bool write_entry(archive* zip, const ZipEntry& entry) {
    const std::unique_ptr<archive_entry, Free> header(archive_entry_new());
    archive_entry_set_pathname(header.get(), entry.path.c_str());
    archive_entry_set_size(header.get(), static_cast<la_int64_t>(entry.content.size()));
    archive_entry_set_filetype(header.get(), AE_IFREG);
    archive_entry_set_perm(header.get(), entry.path.ends_with(".so") ? 0755 : 0644);
    archive_entry_set_mtime(header.get(), kNineteenEighty, 0);
    return archive_write_header(zip, header.get()) == ARCHIVE_OK &&
           archive_write_data(zip, entry.content.data(), entry.content.size()) ==
               static_cast<la_ssize_t>(entry.content.size());
}

} // namespace

Result<std::string> zip_bytes(const std::vector<ZipEntry>& entries) {
    std::string bytes;
    const std::unique_ptr<archive, Free> zip(archive_write_new());
    archive_write_set_format_zip(zip.get());
    archive_write_set_bytes_per_block(zip.get(), kBlock);
    archive_write_set_bytes_in_last_block(zip.get(), 1);
    if (archive_write_open(zip.get(), &bytes, nullptr, append, nullptr) != ARCHIVE_OK)
        return failure(zip.get());
    for (const auto& entry : entries)
        if (!write_entry(zip.get(), entry))
            return failure(zip.get());
    if (archive_write_close(zip.get()) != ARCHIVE_OK)
        return failure(zip.get());
    return bytes;
}

} // namespace kbuild::publish
