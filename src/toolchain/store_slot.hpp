#pragma once

#include "kbuild/toolchain/add.hpp"
#include "kbuild/toolchain/store.hpp"

#include <functional>

namespace kbuild::toolchain {

/// The folder of an SDK in the store: `rocm@6.4` -> `<store>/rocm-6.4`.
std::filesystem::path sdk_folder(const Store& store, const std::string& name);
std::filesystem::path sdk_folder(const Store& store, const SdkRequest& request);

/// Whether a complete and usable SDK lies in `folder`.
bool is_complete(const std::filesystem::path& folder, SdkRequest::Kind kind);

/// Fills `staging`, a hidden folder beside `final_place`, and writes the manifest into it last;
/// without one nothing is put in place.
using Prepare = std::function<support::Result<void>(const std::filesystem::path& staging,
                                                    const std::filesystem::path& final_place)>;

/// Runs `prepare` under the SDK's lock and puts the result in its place in one step; leftovers of
/// killed runs are swept first. Does nothing if another process finished the SDK while this one
/// waited for the lock, which `is_done` tells.
support::Result<void> fill_slot(const Store& store,
                                const std::string& name,
                                const OnProgress& on_progress,
                                const std::function<bool()>& is_done,
                                const Prepare& prepare);

/// The same for an SDK that is done when it is complete.
support::Result<void> fill_slot(const Store& store,
                                const SdkRequest& request,
                                const OnProgress& on_progress,
                                const Prepare& prepare);

/// Runs `work` under the SDK's lock.
support::Result<void> hold_slot(const Store& store,
                                const SdkRequest& request,
                                const OnProgress& on_progress,
                                const std::function<support::Result<void>()>& work);

/// Removes the SDK's folder under its lock.
support::Result<void> empty_slot(const Store& store, const std::string& name);

} // namespace kbuild::toolchain
