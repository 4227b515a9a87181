#include "kbuild/support/file.hpp"

#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace kbuild::support {
namespace {

class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() {
        if (fd_ >= 0)
            ::close(fd_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return fd_; }
    bool valid() const { return fd_ >= 0; }

  private:
    int fd_;
};

/// What mends it, where that is known.
std::string remedy_for(const fs::path& path, int errno_value) {
    std::error_code code;
    const auto space = fs::space(path.has_parent_path() ? path.parent_path() : ".", code);
    switch (errno_value) {
    case ENOSPC:
        return code ? "make room there"
                    : fmt::format("make room there: {} are left", human_size(space.available));
    case EDQUOT:
        return "your quota there is used up: make room";
    case EFBIG:
        return "files may not become larger here: look at `ulimit -f`";
    case EMFILE:
        return "too few files may be open at a time: look at `ulimit -n`";
    case EROFS:
    case EACCES:
        return fmt::format("you may not write to `{}`",
                           display_path(path.has_parent_path() ? path.parent_path() : "."));
    default:
        return {};
    }
}

Error file_error(std::string_view what, const fs::path& path, int errno_value) {
    auto error = errno_error(fmt::format("cannot {} `{}`", what, display_path(path)), errno_value);
    if (what != "open" && what != "read" && what != "list")
        error.hint = remedy_for(path, errno_value);
    return error;
}

Error file_error(std::string_view what, const fs::path& path, const std::error_code& code) {
    return file_error(what, path, code.value());
}

Result<void> write_all(int fd, std::string_view text, const fs::path& path) {
    while (!text.empty()) {
        const ssize_t count = ::write(fd, text.data(), text.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return tl::unexpected(file_error("write", path, errno));
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return {};
}

} // namespace

Result<std::string> read_file(const fs::path& path, std::uintmax_t limit) {
    // O_NONBLOCK: opening a FIFO that somebody listed as a source must not hang.
    const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!fd.valid())
        return tl::unexpected(file_error("open", path, errno));
    struct stat info{};
    if (::fstat(fd.get(), &info) != 0)
        return tl::unexpected(file_error("read", path, errno));
    if (!S_ISREG(info.st_mode))
        return fail(ErrorKind::failed,
                    fmt::format("`{}` is not a regular file", display_path(path)));
    if (static_cast<std::uintmax_t>(info.st_size) > limit)
        return fail(ErrorKind::failed,
                    fmt::format("`{}` has {} bytes, more than the limit of {}",
                                display_path(path),
                                info.st_size,
                                limit));
    std::string text(static_cast<std::size_t>(info.st_size), '\0');
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t count = ::read(fd.get(), text.data() + done, text.size() - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return tl::unexpected(file_error("read", path, errno));
        if (count == 0)
            break;
        done += static_cast<std::size_t>(count);
    }
    text.resize(done);
    return text;
}

Result<void> write_file_atomically(const fs::path& path, std::string_view text, int mode) {
    if (path.has_parent_path())
        KB_TRY(make_folder(path.parent_path()));
    struct stat info{};
    if (::stat(path.c_str(), &info) == 0)
        mode = static_cast<int>(info.st_mode & 0777U);
    std::string temporary = path.string() + ".XXXXXX";
    const Descriptor fd(::mkostemp(temporary.data(), O_CLOEXEC));
    if (!fd.valid())
        return tl::unexpected(file_error("create a file beside", path, errno));
    auto written = write_all(fd.get(), text, path);
    if (written && (::fchmod(fd.get(), static_cast<mode_t>(mode)) != 0 ||
                    ::rename(temporary.c_str(), path.c_str()) != 0))
        written = tl::unexpected(file_error("write", path, errno));
    if (!written)
        ::unlink(temporary.c_str());
    return written;
}

Result<bool> write_file_if_changed(const fs::path& path, std::string_view text) {
    if (is_file(path)) {
        const auto old = read_file(path);
        if (old && *old == text)
            return false;
    }
    KB_TRY(write_file_atomically(path, text));
    return true;
}

Result<std::vector<fs::path>> list_files(const fs::path& root) {
    std::vector<fs::path> files;
    if (!is_folder(root))
        return files;
    std::error_code code;
    fs::recursive_directory_iterator entry(root, code);
    for (const fs::recursive_directory_iterator end; !code && entry != end; entry.increment(code))
        if (entry->symlink_status(code).type() == fs::file_type::regular)
            files.push_back(entry->path().lexically_relative(root));
    if (code)
        return tl::unexpected(file_error("list", root, code));
    std::sort(files.begin(), files.end());
    return files;
}

Result<std::vector<std::string>> list_names(const fs::path& folder) {
    std::vector<std::string> names;
    if (!is_folder(folder))
        return names;
    std::error_code code;
    fs::directory_iterator entry(folder, code);
    for (const fs::directory_iterator end; !code && entry != end; entry.increment(code))
        names.push_back(entry->path().filename().string());
    if (code)
        return tl::unexpected(file_error("list", folder, code));
    std::sort(names.begin(), names.end());
    return names;
}

Result<void> make_folder(const fs::path& path) {
    std::error_code code;
    fs::create_directories(path, code);
    if (code)
        return tl::unexpected(file_error("create the folder", path, code));
    return {};
}

Result<void> copy_to(const fs::path& from, const fs::path& to) {
    if (to.has_parent_path())
        KB_TRY(make_folder(to.parent_path()));
    // std::filesystem::copy_file says "Input/output error" for a full disk.
    const auto failed = [&] {
        return tl::unexpected(
            file_error(fmt::format("copy `{}` to", display_path(from)), to, errno));
    };
    const Descriptor in(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat info{};
    if (!in.valid() || ::fstat(in.get(), &info) != 0)
        return failed();
    const Descriptor out(::open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!out.valid())
        return failed();
    for (ssize_t count = 1; count > 0;) {
        constexpr std::size_t kPiece = 1U << 24U;
        count = ::sendfile(out.get(), in.get(), nullptr, kPiece);
        if (count < 0 && errno != EINTR)
            return failed();
    }
    if (::fchmod(out.get(), info.st_mode & 07777U) != 0)
        return failed();
    return {};
}

Result<void> rename_path(const fs::path& from, const fs::path& to) {
    std::error_code code;
    fs::rename(from, to, code);
    if (code)
        return tl::unexpected(
            file_error(fmt::format("rename `{}` to", display_path(from)), to, code));
    return {};
}

Result<void> remove_tree(const fs::path& path) {
    std::error_code code;
    fs::remove_all(path, code);
    if (code)
        return tl::unexpected(file_error("remove", path, code));
    return {};
}

bool path_exists(const fs::path& path) {
    std::error_code code;
    return fs::exists(path, code);
}

bool is_file(const fs::path& path) {
    std::error_code code;
    return fs::is_regular_file(path, code);
}

bool is_folder(const fs::path& path) {
    std::error_code code;
    return fs::is_directory(path, code);
}

std::uintmax_t size_of_file(const fs::path& path) {
    std::error_code code;
    const auto size = fs::file_size(path, code);
    return code ? 0 : size;
}

std::string display_path(const fs::path& path) {
    std::error_code code;
    const auto here = fs::current_path(code);
    if (code || !path.is_absolute())
        return path.string();
    const auto relative = path.lexically_relative(here).string();
    if (relative.empty() || relative.starts_with("..") || relative.size() >= path.string().size())
        return path.string();
    return relative;
}

} // namespace kbuild::support
