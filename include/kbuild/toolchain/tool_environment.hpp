#pragma once

#include <map>
#include <string>

namespace kbuild::toolchain {

/// The environment for programs that fetch: process::clean_environment() and how this user's apt,
/// pip and Python are set up (APT_CONFIG, PIP_*, PYENV_*, certificates, proxies).
std::map<std::string, std::string> fetch_environment();

} // namespace kbuild::toolchain
