#include "kbuild/toolchain/tool_environment.hpp"

#include "kbuild/process/command.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <unistd.h>

namespace kbuild::toolchain {
namespace {

constexpr std::array kPassedOn = {std::string_view("ALL_PROXY"),
                                  std::string_view("APT_CONFIG"),
                                  std::string_view("CURL_CA_BUNDLE"),
                                  std::string_view("NETRC"),
                                  std::string_view("REQUESTS_CA_BUNDLE"),
                                  std::string_view("SSL_CERT_DIR"),
                                  std::string_view("SSL_CERT_FILE"),
                                  std::string_view("VIRTUAL_ENV"),
                                  std::string_view("all_proxy")};

bool is_passed_on(std::string_view name) {
    return name.starts_with("PIP_") || name.starts_with("PYENV_") ||
           std::find(kPassedOn.begin(), kPassedOn.end(), name) != kPassedOn.end();
}

} // namespace

std::map<std::string, std::string> fetch_environment() {
    auto variables = process::clean_environment();
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        const auto equals = text.find('=');
        if (equals != std::string_view::npos && is_passed_on(text.substr(0, equals)))
            variables.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return variables;
}

} // namespace kbuild::toolchain
