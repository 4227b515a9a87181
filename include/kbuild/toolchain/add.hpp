#pragma once

#include "kbuild/model/sdk.hpp"
#include "kbuild/support/result.hpp"
#include "kbuild/toolchain/store.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace kbuild::toolchain {

/// `rocm@6.4`, `torch@2.13`.
struct SdkRequest {
    enum class Kind { rocm, torch };
    Kind kind = Kind::rocm;
    model::Version version; ///< major.minor
    static support::Result<SdkRequest> parse(std::string_view text);
    std::string name() const;
};

/// One line of progress for a person: "fetching 23 packages", …
using OnProgress = std::function<void(const std::string&)>;

struct AddResult {
    std::string name;
    std::filesystem::path root;
    bool already_there = false;
    std::string summary; ///< `HIP 6.4.43484, clang 21.1.8, from Debian forky`
};

/// Fetches and prepares an SDK into the store, atomically; does nothing when it is complete.
/// Errors: kind `usage` for a version that no provider knows (with the known ones), `network` for a
/// failed download (says what is kept), `toolchain` for a tool that is missing (with the command
/// that installs it).
support::Result<AddResult>
add_sdk(const Store& store, const SdkRequest& request, const OnProgress& on_progress);

/// What add_sdk answers for an SDK that is in the store already; an Error of kind `network` if it
/// would have to be fetched (`--offline`).
support::Result<AddResult> find_added(const Store& store, const SdkRequest& request);

/// Removes an SDK from the store. An Error of kind `usage` if it is not there.
support::Result<void> remove_sdk(const Store& store, const SdkRequest& request);

/// The versions that add_sdk knows, as `rocm@6.4`; sorted.
std::vector<std::string> known_sdks();

} // namespace kbuild::toolchain
