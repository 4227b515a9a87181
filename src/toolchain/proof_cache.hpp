#pragma once

#include <optional>
#include <string>

namespace kbuild::toolchain {

/// What an earlier proof of the same content found; none if there was none. Only successes are
/// kept.
std::optional<std::string> recall_proof(const std::string& key);

/// Remembers a success. That it cannot be written is no fault: the proof is then made again.
void remember_proof(const std::string& key, const std::string& outcome);

} // namespace kbuild::toolchain
