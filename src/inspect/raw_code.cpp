#include "raw_code.hpp"

#include "kbuild/elf/elf_file.hpp"
#include "kbuild/support/file.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace kbuild::inspect {
namespace {

namespace fs = std::filesystem;
using support::Result;

bool starts_with_bundle(std::string_view bytes) {
    return bytes.starts_with("__CLANG_OFFLOAD_BUNDLE__") || bytes.starts_with("CCOB");
}

tl::unexpected<support::Error> cannot_open(const fs::path& path, int error) {
    return tl::unexpected(
        support::errno_error(fmt::format("cannot open `{}`", support::display_path(path)), error));
}

} // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const fs::path& path) {
    const auto shown = support::display_path(path);
    if (!support::is_file(path)) // opening a FIFO would wait for its other end
        return support::fail(support::ErrorKind::content,
                             support::path_exists(path)
                                 ? fmt::format("`{}` is no regular file", shown)
                                 : fmt::format("there is no file `{}`", shown));
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return cannot_open(path, errno);
    const auto size = static_cast<std::size_t>(support::size_of_file(path));
    void* const data =
        size == 0 ? MAP_FAILED : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    const int error = errno;
    ::close(fd);
    if (size == 0)
        return support::fail(support::ErrorKind::content,
                             fmt::format("cannot read `{}` as ELF: it is empty", shown));
    if (data == MAP_FAILED)
        return cannot_open(path, error);
    return std::shared_ptr<const MappedFile>(new MappedFile(static_cast<const char*>(data), size));
}

MappedFile::~MappedFile() {
    ::munmap(const_cast<char*>(data_), size_); // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

Result<RawCode> raw_code(const fs::path& path) {
    KB_TRY_ASSIGN(mapped, MappedFile::open(path));
    const auto bytes = mapped->bytes();
    if (starts_with_bundle(bytes))
        return RawCode{RawCode::Kind::bundles, bytes, std::move(mapped)};
    KB_TRY_ASSIGN(file, elf::read_elf(path));
    if (file.machine == EM_AMDGPU)
        return RawCode{RawCode::Kind::object, bytes, std::move(mapped)};
    const auto* const section = file.section(".hip_fatbin");
    if (section == nullptr || !section->in_file)
        return RawCode{};
    if (section->offset > bytes.size() || section->size > bytes.size() - section->offset)
        return support::fail(
            support::ErrorKind::content,
            fmt::format("`{}` became shorter while it was read", support::display_path(path)));
    return RawCode{RawCode::Kind::bundles,
                   bytes.substr(static_cast<std::size_t>(section->offset),
                                static_cast<std::size_t>(section->size)),
                   std::move(mapped)};
}

} // namespace kbuild::inspect
