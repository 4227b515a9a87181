#include "hub_session.hpp"

#include "kbuild/support/version_info.hpp"

#include <fmt/format.h>

namespace kbuild::cli {

using support::ErrorKind;
using support::Result;

Result<HubSession> HubSession::open(const Context& context) {
    if (context.globals().offline)
        return support::fail(ErrorKind::usage, "this needs the Hub, and `--offline` forbids it");
    HubSession session;
    KB_TRY_ASSIGN(endpoint, hub::endpoint_from_environment());
    session.endpoint_ = std::move(endpoint);
    KB_TRY_ASSIGN(token, hub::find_token());
    session.token_ = std::move(token);
    if (session.token_ && session.token_->readable_by_others)
        context.say(fmt::format("warning: others can read the token in {}: `chmod 600 {}`",
                                session.token_->origin,
                                session.token_->file->string()));
    auto options = http::TransportOptions::from_environment();
    options.user_agent = fmt::format("kbuild/{}", support::version_info().version);
    session.transport_ = http::curl_transport(std::move(options));
    session.pause_ = http::real_pause();
    return session;
}

hub::Connection HubSession::connection() const {
    return {*transport_,
            *pause_,
            http::RetryPolicy::from_environment(),
            endpoint_,
            token_ ? token_->secret : http::Secret()};
}

Result<void> HubSession::require_token() const {
    if (token_)
        return {};
    return support::fail(ErrorKind::network,
                         fmt::format("there is no token for `{}`", endpoint_),
                         fmt::format("make one that can write at `{}/settings/tokens` and put it "
                                     "into `HF_TOKEN`, or into the "
                                     "file that `hf auth login` writes",
                                     endpoint_));
}

hub::RepositoryType repository_type(const std::string& text) {
    return text == "model" ? hub::RepositoryType::model : hub::RepositoryType::kernel;
}

} // namespace kbuild::cli
