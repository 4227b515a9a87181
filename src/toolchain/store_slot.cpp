#include "store_slot.hpp"

#include "manifest.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/file_lock.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/support/temp_dir.hpp"
#include "kbuild/support/tree_swap.hpp"

#include <fmt/format.h>

#include <chrono>

namespace kbuild::toolchain {
namespace {

using support::Result;
namespace fs = std::filesystem;

/// Somebody else may be fetching 0.5 GB over a slow line.
constexpr std::chrono::hours kPatience{1};

std::string staging_prefix(const std::string& name) {
    return fmt::format(".tmp-{}-", support::replace_all(name, "@", "-"));
}

Result<support::FileLock>
lock_slot(const Store& store, const std::string& name, const OnProgress& on_progress) {
    const auto say = [&](const std::string& line) {
        if (on_progress)
            on_progress(line);
    };
    const auto file = store.root() / ".locks" / name;
    auto lock = support::FileLock::acquire(
        file, support::lock_timeout(kPatience), [&](const std::string& holder) {
            say(fmt::format("waiting for {}, which works on {}", holder, name));
        });
    if (lock && !lock->enforced())
        say(fmt::format("the file system of `{}` has no locks: do not run another kbuild toolchain "
                        "meanwhile",
                        file.parent_path().string()));
    return lock;
}

/// Only called under the SDK's lock, so nobody works in such a folder.
Result<void> sweep_leftovers(const Store& store, const std::string& sdk) {
    KB_TRY_ASSIGN(names, support::list_names(store.root()));
    for (const auto& name : names)
        if (name.starts_with(staging_prefix(sdk)))
            KB_TRY(support::remove_tree(store.root() / name));
    return {};
}

Result<void> open_permissions(const fs::path& folder) {
    std::error_code code;
    fs::permissions(folder, fs::perms(0755), code);
    if (code)
        return tl::unexpected(support::errno_error(
            fmt::format("cannot open `{}` to others", folder.string()), code.value()));
    return {};
}

} // namespace

fs::path sdk_folder(const Store& store, const std::string& name) {
    return store.root() / support::replace_all(name, "@", "-");
}

fs::path sdk_folder(const Store& store, const SdkRequest& request) {
    return sdk_folder(store, request.name());
}

bool is_complete(const fs::path& folder, SdkRequest::Kind kind) {
    if (!support::is_file(folder / kManifestName))
        return false;
    if (kind == SdkRequest::Kind::rocm)
        return read_rocm_manifest(folder).has_value();
    const auto torch = read_torch_manifest(folder);
    // One that an older kbuild made builds all but CUDA sources; `add` makes it anew.
    return torch && (torch->hipify || !torch->place.empty());
}

Result<void> fill_slot(const Store& store,
                       const std::string& name,
                       const OnProgress& on_progress,
                       const std::function<bool()>& is_done,
                       const Prepare& prepare) {
    KB_TRY_ASSIGN(lock, lock_slot(store, name, on_progress));
    const auto place = sdk_folder(store, name);
    KB_TRY(sweep_leftovers(store, name));
    if (is_done())
        return {};
    KB_TRY_ASSIGN(staging, support::TempDir::create(store.root(), staging_prefix(name)));
    KB_TRY(prepare(staging.path(), place));
    if (!support::is_file(staging.path() / kManifestName))
        return {};
    KB_TRY(open_permissions(staging.path()));
    return support::publish_folder(staging.path(), place);
}

Result<void> fill_slot(const Store& store,
                       const SdkRequest& request,
                       const OnProgress& on_progress,
                       const Prepare& prepare) {
    const auto place = sdk_folder(store, request);
    return fill_slot(
        store,
        request.name(),
        on_progress,
        [&] { return is_complete(place, request.kind); },
        prepare);
}

Result<void> hold_slot(const Store& store,
                       const SdkRequest& request,
                       const OnProgress& on_progress,
                       const std::function<Result<void>()>& work) {
    KB_TRY_ASSIGN(lock, lock_slot(store, request.name(), on_progress));
    return work();
}

Result<void> empty_slot(const Store& store, const std::string& name) {
    KB_TRY_ASSIGN(lock, lock_slot(store, name, {}));
    const auto place = sdk_folder(store, name);
    // Renamed first: readers then see the whole SDK or none, and a killed removal is swept by the
    // next add.
    const auto doomed = store.root() / (staging_prefix(name) + "removed");
    KB_TRY(support::remove_tree(doomed));
    KB_TRY(support::rename_path(place, doomed));
    return support::remove_tree(doomed);
}

} // namespace kbuild::toolchain
