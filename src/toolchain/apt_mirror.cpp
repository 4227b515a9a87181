#include "apt_mirror.hpp"

#include "kbuild/process/runner.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/tool_environment.hpp"

#include <fmt/format.h>

namespace kbuild::toolchain {
namespace {

using support::ErrorKind;
using support::Result;

Result<std::string> apt_get(const std::vector<std::string>& arguments) {
    KB_TRY_ASSIGN(
        output,
        process::run_ok({"apt-get", arguments, {}, fetch_environment()}, ErrorKind::toolchain));
    return output.out;
}

/// What the machine's own configuration says; empty if nothing fits.
Result<std::string> configured_uri(const std::string& distribution) {
    KB_TRY_ASSIGN(targets,
                  apt_get({"indextargets",
                           "--format",
                           "$(ORIGIN) $(CODENAME) $(REPO_URI)",
                           "Created-By: Packages"}));
    if (auto uri = mirror_from_targets(targets, distribution); !uri.empty())
        return uri;
    KB_TRY_ASSIGN(uris, apt_get({"update", "--print-uris"}));
    return mirror_from_uris(uris, distribution);
}

} // namespace

std::string mirror_from_targets(std::string_view text, std::string_view distribution) {
    for (const auto& line : support::split(text, '\n')) {
        const auto words = support::split(line, ' ');
        // The security archive has its own address and does not carry the suites that are wanted.
        if (words.size() == 3 && words[0] == distribution &&
            !support::contains(words[1], "security") && !support::contains(words[2], "-security"))
            return words[2];
    }
    return {};
}

std::string mirror_from_uris(std::string_view text, std::string_view distribution) {
    const auto folder = "/" + support::to_lower(distribution);
    for (const auto& line : support::split(text, '\n')) {
        const auto dists = line.find("/dists/");
        if (line.starts_with('\'') && dists != std::string::npos &&
            std::string_view(line).substr(0, dists).ends_with(folder))
            return line.substr(1, dists);
    }
    return {};
}

Result<AptMirror> find_apt_mirror(const std::string& distribution) {
    AptMirror mirror;
    const auto lower = support::to_lower(distribution);
    const std::string keyring = fmt::format("/usr/share/keyrings/{}-archive-keyring.gpg", lower);
    if (support::is_file(keyring))
        mirror.keyring = keyring;
    const std::string variable = distribution == "Debian" ? "KBUILD_DEBIAN_MIRROR" : "";
    if (const auto given = support::environment(variable)) {
        mirror.uri = *given;
        return mirror;
    }
    KB_TRY_ASSIGN(uri, configured_uri(distribution));
    if (uri.empty())
        return support::fail(
            ErrorKind::toolchain,
            fmt::format("this machine's apt knows no {} archive", distribution),
            fmt::format("set `{}` to the address of a mirror, and install `{}-archive-keyring`",
                        variable,
                        lower));
    mirror.uri = uri;
    return mirror;
}

} // namespace kbuild::toolchain
