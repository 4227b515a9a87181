#include "kbuild/git/diff.hpp"

#include "session.hpp"

#include <fmt/format.h>

namespace kbuild::git {
namespace {

/// A buffer of libgit2's.
struct Buffer {
    git_buf value{};
    Buffer() = default;
    ~Buffer() { git_buf_dispose(&value); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
};

} // namespace

support::Result<std::string>
unified_diff(const std::string& name, std::string_view before, std::string_view after) {
    const Session session;
    git_diff_options options;
    git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
    // Whatever the bytes are: the files that are compared here are texts.
    options.flags = GIT_DIFF_FORCE_TEXT;
    git_patch* raw = nullptr;
    Buffer text;
    int code = git_patch_from_buffers(&raw,
                                      before.data(),
                                      before.size(),
                                      name.c_str(),
                                      after.data(),
                                      after.size(),
                                      name.c_str(),
                                      &options);
    const Owned<git_patch> patch(raw);
    if (code == 0)
        code = git_patch_to_buf(&text.value, patch.get());
    if (code != 0)
        return support::fail(support::ErrorKind::failed,
                             fmt::format("cannot compare two versions of `{}`", name));
    return std::string(text.value.ptr, text.value.size);
}

} // namespace kbuild::git
