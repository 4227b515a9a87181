#include "kbuild/toolchain/local_torch.hpp"

#include "add_sdk_kinds.hpp"
#include "manifest.hpp"
#include "store_slot.hpp"
#include "torch_place.hpp"

#include "kbuild/support/file.hpp"

#include <fmt/format.h>

namespace kbuild::toolchain {
namespace {

using support::ErrorKind;
using support::Result;
namespace fs = std::filesystem;

/// Makes the SDK named `slot` of the store from a place.
Result<void> fill_from_place(const Store& store,
                             const std::string& slot,
                             const TorchPlace& place,
                             const OnProgress& on_progress,
                             const std::function<bool()>& is_done) {
    auto filled =
        fill_slot(store,
                  slot,
                  on_progress,
                  is_done,
                  [&](const fs::path& staging, const fs::path& final_place) {
                      return prepare_torch_place(place, {{}, staging, final_place}, on_progress);
                  });
    if (!filled)
        return support::pass_on(std::move(filled),
                                fmt::format("preparing the torch at `{}`", place.path.string()));
    return {};
}

constexpr std::string_view kSlotPrefix = "local-torch-";

/// One folder for each state of each place.
std::string slot_of(const TorchPlace& place) {
    return std::string(kSlotPrefix) + state_of_place(place).substr(0, 16);
}

SdkRequest request_for(const TorchPlace& place) {
    return {SdkRequest::Kind::torch, place.version.version.major_minor()};
}

/// Whether kbuild made the folder, as one that `kbuild toolchain path` names.
bool is_sdk(const fs::path& place) {
    return support::is_file(place / kManifestName);
}

Result<model::TorchSdk> made_torch(const fs::path& place) {
    std::error_code code;
    return read_torch_manifest(fs::weakly_canonical(place, code));
}

} // namespace

Result<model::Version> local_torch_version(const fs::path& place) {
    if (is_sdk(place)) {
        KB_TRY_ASSIGN(sdk, made_torch(place));
        return sdk.short_version();
    }
    KB_TRY_ASSIGN(found, find_torch_place(place));
    return found.version.version.major_minor();
}

Result<fs::path> local_torch_folder(const fs::path& place) {
    KB_TRY_ASSIGN(found, find_torch_place(place));
    if (found.kind == TorchPlace::Kind::wheel)
        return support::fail(ErrorKind::toolchain,
                             fmt::format("`{}` is a wheel that is not installed", place.string()),
                             fmt::format("python3 -m pip install {}", place.string()));
    return found.path;
}

Result<model::TorchSdk>
local_torch(const Store& store, const fs::path& place, const OnProgress& on_progress) {
    if (is_sdk(place))
        return made_torch(place);
    KB_TRY_ASSIGN(found, find_torch_place(place));
    const auto slot = slot_of(found);
    const auto folder = sdk_folder(store, slot);
    if (auto made = read_torch_manifest(folder))
        return std::move(*made);
    KB_TRY(fill_from_place(
        store, slot, found, on_progress, [&] { return read_torch_manifest(folder).has_value(); }));
    return read_torch_manifest(folder);
}

Result<AddResult>
add_local_torch(const Store& store, const fs::path& place, const OnProgress& on_progress) {
    KB_TRY_ASSIGN(found, find_torch_place(place));
    const auto name = request_for(found).name();
    const auto folder = sdk_folder(store, name);
    if (const auto there = read_torch_manifest(folder)) {
        if (there->place == found.path && there->full_version == found.version.full)
            return AddResult{name, folder, true, read_summary(folder)};
        return support::fail(ErrorKind::usage,
                             fmt::format("`{}` is there already: {}", name, read_summary(folder)),
                             fmt::format("`kbuild toolchain remove {}` first, or give `--torch {}` "
                                         "to the command that is to use it",
                                         name,
                                         found.path.string()));
    }
    KB_TRY(fill_from_place(
        store, name, found, on_progress, [&] { return read_torch_manifest(folder).has_value(); }));
    return AddResult{name, folder, false, read_summary(folder)};
}

Result<std::size_t> remove_local_torch(const Store& store, const fs::path& place) {
    std::error_code code;
    const auto wanted = fs::absolute(place, code).lexically_normal();
    std::size_t removed = 0;
    KB_TRY_ASSIGN(names, support::list_names(store.root()));
    for (const auto& name : names) {
        if (!name.starts_with(kSlotPrefix))
            continue;
        const auto sdk = read_torch_manifest(store.root() / name);
        // The place of an environment is the package in it.
        if (!sdk || sdk->place.lexically_relative(wanted).string().starts_with(".."))
            continue;
        KB_TRY(empty_slot(store, name));
        ++removed;
    }
    return removed;
}

} // namespace kbuild::toolchain
