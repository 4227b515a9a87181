// kbuild-bundle OPTIONS...: joins device code as clang-offload-bundler does with the same options,
// in a tenth of its time: most of that is the start of LLVM. Decision 0101.

#include "kbuild/step/bundle.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace {

using namespace kbuild;

[[noreturn]] void fail(std::string_view what, const std::string& path) {
    const char* const why = ::strerrordesc_np(errno);
    const auto line = "kbuild-bundle: cannot " + std::string(what) + " " + path + ": " +
                      (why == nullptr ? "?" : why) + "\n";
    ::_exit(::write(STDERR_FILENO, line.data(), line.size()) < 0 ? 2 : 1);
}

struct Input {
    std::string path;
    int file = -1;
    std::uint64_t size = 0; ///< bytes
};

Input open_input(const std::string& path) {
    Input input{path, ::open(path.c_str(), O_RDONLY | O_CLOEXEC), 0};
    struct stat state{};
    if (input.file < 0 || ::fstat(input.file, &state) != 0)
        fail("read", path);
    if (!S_ISREG(state.st_mode) && !S_ISCHR(state.st_mode)) { // /dev/null stands for the host
        errno = EINVAL;
        fail("read", path);
    }
    input.size = S_ISREG(state.st_mode) ? static_cast<std::uint64_t>(state.st_size) : 0;
    return input;
}

void write_at(int file, std::string_view bytes, std::uint64_t offset, const std::string& path) {
    while (!bytes.empty()) {
        const ssize_t count =
            ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (count < 0 && errno != EINTR)
            fail("write", path);
        const auto done = static_cast<std::size_t>(count < 0 ? 0 : count);
        bytes.remove_prefix(done);
        offset += done;
    }
}

void copy_to(int file, const Input& input, std::uint64_t offset, const std::string& path) {
    std::vector<char> block(1U << 20U);
    for (std::uint64_t at = 0; at < input.size;) {
        const ssize_t count =
            ::pread(input.file, block.data(), block.size(), static_cast<off_t>(at));
        if (count == 0)
            errno = EIO; // it became shorter
        if (count <= 0)
            fail("read", input.path);
        write_at(file, {block.data(), static_cast<std::size_t>(count)}, offset + at, path);
        at += static_cast<std::uint64_t>(count);
    }
}

void write_bundle(const step::BundleRequest& request) {
    std::vector<Input> inputs;
    std::vector<std::uint64_t> sizes;
    for (const auto& path : request.inputs) {
        inputs.push_back(open_input(path));
        sizes.push_back(inputs.back().size);
    }
    const auto layout = step::lay_out(request, sizes);
    struct stat before{};
    if (::lstat(request.output.c_str(), &before) == 0 && !S_ISREG(before.st_mode)) {
        errno = EEXIST; // to rename onto a device would replace it
        fail("write", request.output);
    }
    const auto part = request.output + ".part"; // whole or not at all
    const int file = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0)
        fail("write", part);
    write_at(file, layout.header, 0, part);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        copy_to(file, inputs[i], layout.offsets[i], part);
    if (::close(file) != 0 || ::rename(part.c_str(), request.output.c_str()) != 0)
        fail("write", request.output);
}

} // namespace

int main(int argc, char** argv) {
    const auto request = step::parse_bundle_request({argv + 1, argv + argc});
    if (!request) {
        constexpr std::string_view kUsage =
            "kbuild-bundle: takes -type=o, -bundle-align=, -targets=, -output= and an -input= for "
            "each target\n";
        return ::write(STDERR_FILENO, kUsage.data(), kUsage.size()) < 0 ? 2 : 64;
    }
    write_bundle(*request);
    return 0;
}
