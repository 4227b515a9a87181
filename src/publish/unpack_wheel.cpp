#include "kbuild/elf/library_name.hpp"
#include "kbuild/publish/wheel.hpp"
#include "kbuild/support/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <archive.h>
#include <archive_entry.h>
#include <fstream>
#include <memory>

namespace kbuild::publish {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

constexpr std::size_t kReadBlock = std::size_t{1} << 20U;
/// A wheel of torch has 2 GiB of libraries.
constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 30U;

struct FreeReader {
    void operator()(archive* value) const { archive_read_free(value); }
};

tl::unexpected<support::Error> unreadable(const fs::path& wheel, std::string_view why) {
    return support::fail(ErrorKind::content,
                         fmt::format("cannot read `{}`: {}", support::display_path(wheel), why));
}

tl::unexpected<support::Error> unreadable(const fs::path& wheel, archive* zip) {
    const auto* const text = archive_error_string(zip);
    return unreadable(wheel, text != nullptr ? text : "it is no zip archive");
}

bool leads_out(const fs::path& path) {
    return path.is_absolute() ||
           std::any_of(path.begin(), path.end(), [](const auto& part) { return part == ".."; });
}

/// Writes the entry that the reader is at; takes what it writes from `room`.
Result<void>
write_entry_to(archive* zip, const fs::path& target, const fs::path& wheel, std::uint64_t& room) {
    std::error_code error;
    fs::create_directories(target.parent_path(), error); // if that fails, so does writing
    std::ofstream file(target, std::ios::binary);
    const void* bytes = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    int code = ARCHIVE_OK;
    while ((code = archive_read_data_block(zip, &bytes, &size, &offset)) == ARCHIVE_OK) {
        if (size > room)
            return unreadable(wheel, "its libraries have more than 16 GiB");
        room -= size;
        file.seekp(offset);
        file.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
    }
    if (code != ARCHIVE_EOF)
        return unreadable(wheel, zip);
    file.close();
    if (!file)
        return support::fail(ErrorKind::failed, fmt::format("cannot write `{}`", target.string()));
    return {};
}

} // namespace

Result<std::vector<fs::path>> unpack_libraries(const fs::path& wheel, const fs::path& folder) {
    if (support::size_of_file(wheel) == 0)
        return unreadable(wheel, "it is empty");
    const std::unique_ptr<archive, FreeReader> zip(archive_read_new());
    // By its directory, which stands at the end: a part of a wheel is none.
    archive_read_support_format_zip_seekable(zip.get());
    if (archive_read_open_filename(zip.get(), wheel.c_str(), kReadBlock) != ARCHIVE_OK)
        return unreadable(wheel, zip.get());
    std::vector<fs::path> libraries;
    auto room = kMostBytes;
    archive_entry* entry = nullptr;
    int code = ARCHIVE_OK;
    while ((code = archive_read_next_header(zip.get(), &entry)) == ARCHIVE_OK) {
        const auto* const name = archive_entry_pathname_utf8(entry);
        if (name == nullptr)
            return unreadable(wheel, "a name in it is not UTF-8");
        const fs::path path(name);
        if (!elf::is_library_name(path) || archive_entry_filetype(entry) != AE_IFREG)
            continue;
        if (leads_out(path))
            return unreadable(wheel, fmt::format("its entry `{}` leads out of it", name));
        KB_TRY(write_entry_to(zip.get(), folder / path, wheel, room));
        libraries.push_back(folder / path);
    }
    if (code != ARCHIVE_EOF)
        return unreadable(wheel, zip.get());
    std::sort(libraries.begin(), libraries.end());
    return libraries;
}

} // namespace kbuild::publish
