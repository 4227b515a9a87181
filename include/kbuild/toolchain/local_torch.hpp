#pragma once

#include "kbuild/model/sdk.hpp"
#include "kbuild/support/result.hpp"
#include "kbuild/toolchain/add.hpp"
#include "kbuild/toolchain/store.hpp"

#include <filesystem>

/// Torches that are on this machine already: a wheel file, a libtorch folder, a Python environment,
/// its interpreter, its site-packages. All Errors are of kind `toolchain` if there is no usable
/// one. To build with, an SDK that kbuild made of a torch will do, too.
namespace kbuild::toolchain {

/// major.minor of the torch at `place`; nothing is written.
support::Result<model::Version> local_torch_version(const std::filesystem::path& place);

/// The folder that holds `include` and `lib` of the torch at `place`; an Error for a wheel, which
/// has to be installed first.
support::Result<std::filesystem::path> local_torch_folder(const std::filesystem::path& place);

/// The torch at `place` as an SDK. Its headers are copied and its stubs made on the first use, into
/// the store, beside those that were fetched; again only when what lies at the place has changed.
support::Result<model::TorchSdk>
local_torch(const Store& store, const std::filesystem::path& place, const OnProgress& on_progress);

/// Puts the torch at `place` where a fetched one of its version would be, so that every build uses
/// it. An Error of kind `usage` if there is another one already.
support::Result<AddResult> add_local_torch(const Store& store,
                                           const std::filesystem::path& place,
                                           const OnProgress& on_progress);

/// Removes what local_torch() made of `place`, which need not be there any more; how many folders
/// that were.
support::Result<std::size_t> remove_local_torch(const Store& store,
                                                const std::filesystem::path& place);

} // namespace kbuild::toolchain
