#include "kbuild/hub/repository.hpp"

#include "kbuild/http/url.hpp"
#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <sys/stat.h>

namespace kbuild::hub {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

constexpr std::size_t kMaxToken = 4096;
constexpr std::size_t kMaxName = 96;

bool is_name(std::string_view text) {
    constexpr std::string_view kAllowed =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._";
    return !text.empty() && text.size() <= kMaxName && text.front() != '.' && text.front() != '-' &&
           text.find_first_not_of(kAllowed) == std::string_view::npos;
}

/// huggingface_hub's order (constants.py): an explicit file, then its home folder.
fs::path token_file() {
    if (const auto path = support::environment("HF_TOKEN_PATH"))
        return *path;
    if (const auto home = support::environment("HF_HOME"))
        return fs::path(*home) / "token";
    if (const auto cache = support::environment("XDG_CACHE_HOME"))
        return fs::path(*cache) / "huggingface/token";
    return fs::path(support::environment("HOME").value_or("/")) / ".cache/huggingface/token";
}

Result<http::Secret> to_secret(std::string_view text, const std::string& origin) {
    const auto trimmed = support::trim(text);
    for (const char letter : trimmed)
        if (letter <= ' ' || letter > '~')
            return support::fail(ErrorKind::usage,
                                 fmt::format("{} holds something that is no token", origin));
    return http::Secret(std::string(trimmed));
}

} // namespace

std::string_view to_string(RepositoryType type) {
    return type == RepositoryType::kernel ? "kernel" : "model";
}

Result<Repository> Repository::parse(RepositoryType type, std::string_view id) {
    const auto parts = support::split(id, '/');
    if (parts.size() != 2 || !is_name(parts[0]) || !is_name(parts[1]))
        return support::fail(ErrorKind::usage,
                             fmt::format("`{}` is not the name of a repository", id),
                             "write it as `owner/name`");
    return Repository{type, parts[0], parts[1]};
}

std::string Repository::api_path() const {
    return fmt::format("/api/{}s/{}/{}", to_string(type), owner, name);
}

std::string Repository::page_path() const {
    return (type == RepositoryType::kernel ? "/kernels/" : "/") + id();
}

Result<std::string> endpoint_from_environment() {
    auto endpoint = support::environment("HF_ENDPOINT").value_or("https://huggingface.co");
    while (endpoint.ends_with('/'))
        endpoint.pop_back();
    const auto origin = http::origin_of(endpoint);
    if (!origin)
        return support::fail(
            ErrorKind::usage, "`HF_ENDPOINT` is no address", "write it as `https://host`");
    if (origin->scheme == "http" && !origin->is_loopback())
        return support::fail(
            ErrorKind::usage,
            fmt::format("`HF_ENDPOINT` is `{}`: the token would go over the network "
                        "unencrypted",
                        http::shown(endpoint)),
            "use https");
    return endpoint;
}

Result<std::optional<Token>> find_token() {
    for (const auto* const name : {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"})
        if (const auto text = support::environment(name)) {
            const auto origin = fmt::format("the variable `{}`", name);
            KB_TRY_ASSIGN(secret, to_secret(*text, origin));
            return Token{std::move(secret), origin, std::nullopt, false};
        }
    const auto file = token_file();
    if (!support::is_file(file))
        return std::nullopt;
    KB_TRY_ASSIGN(text, support::read_file(file, kMaxToken));
    const auto origin = fmt::format("`{}`", support::display_path(file));
    KB_TRY_ASSIGN(secret, to_secret(text, origin));
    if (secret.empty())
        return std::nullopt;
    struct stat status{};
    const bool open = ::stat(file.c_str(), &status) == 0 && (status.st_mode & 0077U) != 0;
    return Token{std::move(secret), origin, file, open};
}

} // namespace kbuild::hub
