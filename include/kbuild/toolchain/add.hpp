#pragma once

#include "kbuild/model/sdk.hpp"
#include "kbuild/model/sdk_sources.hpp"
#include "kbuild/support/result.hpp"
#include "kbuild/toolchain/store.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// A fetched file as kbuild.lock names it.
struct FetchedFile {
    std::string name; ///< package or file name
    std::string version;
    std::string sha256; ///< of the file as fetched
};

/// Where the files of an SDK come from and go to.
struct AddOptions {
    /// A folder that an earlier `save` filled: nothing is fetched over the network.
    std::optional<std::filesystem::path> from;
    /// Gets every fetched file, in a folder for each SDK, so that `from` can make it again.
    std::optional<std::filesystem::path> save;
    /// The only files that will do; empty: what the mirror has today. An SDK that is there and was
    /// made from others is made anew.
    std::vector<FetchedFile> wanted;
    bool offline = false; ///< nothing may be fetched
    /// Header packages of ROCm libraries beyond those of every SDK (`rocwmma`). An SDK that is
    /// there without them is made anew with these and those that it has.
    std::vector<std::string> extra;
    /// What a user or project adds to the sources that kbuild knows.
    model::SdkSources sources;
};

struct AddResult {
    std::string name;
    std::filesystem::path root;
    bool already_there = false;
    std::string summary; ///< `HIP 6.4.43484, clang 21.1.8, from Debian forky`
    /// For how long it was fetched; none if nothing was.
    std::optional<std::chrono::duration<double>> fetching = {};
};

/// Fetches and prepares an SDK into the store, atomically; does nothing when it is complete. Where
/// a ROCm's suites have rolled on to another HIP, that one is added: the result has its name.
/// Errors: kind `usage` for a version that no provider knows (with the known ones), `network` for a
/// failed download (says what is kept) and for one that is forbidden, `config` for a source that
/// cannot be used, `toolchain` for a tool that
/// is missing (with the command that installs it) and for files other than the wanted ones.
support::Result<AddResult> add_sdk(const Store& store,
                                   const SdkRequest& request,
                                   const OnProgress& on_progress,
                                   const AddOptions& options = {});

/// The files that the SDK in `folder` was made from, sorted by name, and where they came from
/// (`Debian forky`; never an address), and the extra libraries that it has; all empty for one that
/// was not fetched.
struct SdkContent {
    std::string source;
    std::vector<FetchedFile> files;
    std::vector<std::string> extra; ///< sorted
};
SdkContent content_of(const std::filesystem::path& folder);

/// The library whose header packages have the header (`rocwmma/rocwmma.hpp` -> `rocwmma`), as
/// AddOptions::extra takes it; empty if none does.
std::string extra_library_of(std::string_view header);

/// What is different from the wanted files, one line each.
std::vector<std::string> differences(const std::vector<FetchedFile>& wanted,
                                     const std::vector<FetchedFile>& there);

/// Removes an SDK from the store. An Error of kind `usage` if it is not there.
support::Result<void> remove_sdk(const Store& store, const SdkRequest& request);

/// The versions that add_sdk knows, as `rocm@6.4`; sorted.
std::vector<std::string> known_sdks(const model::SdkSources& sources = {});

} // namespace kbuild::toolchain
