#pragma once

#include "kbuild/http/secret.hpp"
#include "kbuild/support/result.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace kbuild::hub {

enum class RepositoryType { kernel, model };

std::string_view to_string(RepositoryType type); ///< `kernel`, `model`

/// A repository of the Hub. Paths follow upstream.md 6.3: kernels live below `kernels/`, models at
/// the top.
struct Repository {
    RepositoryType type = RepositoryType::kernel;
    std::string owner;
    std::string name;

    /// `owner/name`, each of letters, digits, `.`, `_`, `-`; an Error of kind `usage` otherwise.
    static support::Result<Repository> parse(RepositoryType type, std::string_view id);

    std::string id() const { return owner + "/" + name; }
    std::string api_path() const;  ///< `/api/kernels/owner/name`
    std::string page_path() const; ///< `/kernels/owner/name`
    bool operator==(const Repository&) const = default;
};

/// `HF_ENDPOINT`, default `https://huggingface.co`, without a slash at the end. An Error of kind
/// `usage` for what is no http or https URL.
support::Result<std::string> endpoint_from_environment();

/// An access token and where it was found.
struct Token {
    http::Secret secret;
    std::string origin;                        ///< "the variable `HF_TOKEN`", "`…/token`"
    std::optional<std::filesystem::path> file; ///< if it came from one
    bool readable_by_others = false;           ///< of that file
};

/// The first of `HF_TOKEN`, `HUGGING_FACE_HUB_TOKEN`, the file `HF_TOKEN_PATH`, `HF_HOME`/token,
/// `XDG_CACHE_HOME`/huggingface/token, ~/.cache/huggingface/token: the places that huggingface_hub
/// looks at. None if there is none; an Error if the text found cannot be a token.
support::Result<std::optional<Token>> find_token();

} // namespace kbuild::hub
