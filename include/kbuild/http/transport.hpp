#pragma once

#include "kbuild/http/message.hpp"

#include <tl/expected.hpp>

#include <chrono>
#include <memory>
#include <string>

namespace kbuild::http {

/// Carries one request and brings the answer, whatever its status. Tests put their own in its
/// place. May be called from several threads at a time.
class Transport {
  public:
    virtual ~Transport() = default;
    virtual tl::expected<Response, Failure> exchange(const Request& request) = 0;
};

struct TransportOptions {
    std::chrono::seconds connect{15};
    std::chrono::seconds stall{60};
    std::string user_agent;
    /// A file of certificates; empty: the system's.
    std::string ca_file;

    /// `KBUILD_HTTP_TIMEOUT` (seconds without progress) and the first of `KBUILD_CA_BUNDLE`,
    /// `CURL_CA_BUNDLE`, `REQUESTS_CA_BUNDLE`, `SSL_CERT_FILE`. libcurl itself reads the proxy
    /// variables (`https_proxy`, `http_proxy`, `all_proxy`, `no_proxy`).
    static TransportOptions from_environment();
};

/// libcurl: connections are kept and reused, certificates are verified, redirects are not followed
/// (send() does that).
std::unique_ptr<Transport> curl_transport(TransportOptions options);

} // namespace kbuild::http
