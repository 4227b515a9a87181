#pragma once

#include "kbuild/diag/sink.hpp"
#include "kbuild/hub/answers.hpp"
#include "kbuild/hub/repository.hpp"
#include "kbuild/publish/content.hpp"
#include "kbuild/support/result.hpp"

#include <string>

namespace kbuild::publish {

/// What the user lets through.
struct Allowances {
    bool dirty = false;         ///< `--allow-dirty`
    bool sdk_origin = false;    ///< `--allow-sdk-origin`
    bool failed_checks = false; ///< `--allow-failed-checks`
};

/// The version that all variants share; reports K1003 if they do not.
std::uint64_t common_version(const LocalContent& content, diag::Sink& sink);

/// What kbuild does not publish unless told: variants from a changed or unknown commit (K1004), or
/// from an SDK that is a rebuild or a mix (K1005). What is let through is a warning.
void check_provenance(const LocalContent& content, const Allowances& allowed, diag::Sink& sink);

/// A branch `v<N>` is what `version=N` loads: other versions have no place on it (K1007).
void check_branch(const std::string& branch, std::uint64_t version, diag::Sink& sink);

/// `rebuild` or `mix` if provenance names such an SDK, with its description; empty otherwise.
std::string doubtful_sdk(const layout::Provenance& provenance);

/// Whether the account and its token may write to the repository, as far as whoami tells: an Error
/// of kind `network` says what is missing and what to do.
support::Result<void> check_rights(const hub::WhoAmI& who,
                                   const hub::Repository& repository,
                                   const std::string& endpoint);

} // namespace kbuild::publish
