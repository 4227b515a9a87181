#include "upload_git.hpp"

#include "kbuild/http/transport.hpp"
#include "kbuild/http/url.hpp"
#include "kbuild/support/environment.hpp"

#include <fmt/format.h>

namespace kbuild::cli {
namespace {

using support::ErrorKind;
using support::Result;

/// `https://user@host/…` -> `user`; an Error if there is a password: addresses show in process
/// lists.
Result<std::string> user_of(const std::string& url) {
    const auto start = url.find("://");
    const auto end = url.find('/', start + 3);
    const auto authority = url.substr(start + 3, end - start - 3);
    const auto at = authority.rfind('@');
    if (at == std::string::npos)
        return support::environment("KBUILD_GIT_USER").value_or("kbuild");
    const auto user = authority.substr(0, at);
    if (user.find(':') != std::string::npos)
        return support::fail(ErrorKind::usage,
                             "`--remote` holds a password",
                             "take it out of the address and put it into `KBUILD_GIT_TOKEN`");
    return user;
}

} // namespace

Result<publish::GitTarget> git_target(const UploadOptions& options,
                                      const HubSession& session,
                                      const hub::Repository& repository) {
    const auto url =
        options.remote.empty() ? session.endpoint() + repository.page_path() : options.remote;
    const auto origin = http::origin_of(url);
    if (!origin)
        return support::fail(
            ErrorKind::usage,
            fmt::format("`{}` is no http or https address", http::shown(url)),
            "for other remotes write a checkout with `--to FOLDER` and push it by hand");
    publish::GitTarget target;
    KB_TRY_ASSIGN(user, user_of(url));
    target.remote.user = std::move(user);
    target.remote.url = http::shown(url);
    target.remote.ca_file = http::TransportOptions::from_environment().ca_file;
    target.lfs_url = publish::guess_lfs_url(target.remote.url);
    const bool at_hub = origin == http::origin_of(session.endpoint());
    if (at_hub && session.token())
        target.remote.password = session.token()->secret.reveal();
    else if (const auto token = support::environment("KBUILD_GIT_TOKEN"); !at_hub && token)
        target.remote.password = *token;
    if (origin->scheme == "http" && !origin->is_loopback() && !target.remote.password.empty())
        return support::fail(
            ErrorKind::usage,
            fmt::format("the token would go to `{}` unencrypted", target.remote.url),
            "use https");
    return target;
}

} // namespace kbuild::cli
