#pragma once

#include "kbuild/cli/command.hpp"
#include "kbuild/hub/api.hpp"

#include <memory>
#include <optional>
#include <string>

namespace kbuild::cli {

/// How this run reaches the Hub, by the environment: endpoint, token, certificates, proxies.
class HubSession {
  public:
    /// An Error of kind `usage` with `--offline`. Warns of a token file that others can read.
    static support::Result<HubSession> open(const Context& context);

    hub::Connection connection() const;
    const std::optional<hub::Token>& token() const { return token_; }
    const std::string& endpoint() const { return endpoint_; }

    /// An Error that says where a token is looked for, if there is none.
    support::Result<void> require_token() const;

  private:
    HubSession() = default;
    std::unique_ptr<http::Transport> transport_;
    std::unique_ptr<http::Pause> pause_;
    std::string endpoint_;
    std::optional<hub::Token> token_;
};

/// `--repo-type`.
hub::RepositoryType repository_type(const std::string& text);

} // namespace kbuild::cli
