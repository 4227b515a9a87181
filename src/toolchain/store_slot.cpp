#include "store_slot.hpp"

#include "manifest.hpp"

#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/file_lock.hpp"
#include "kbuild/support/numbers.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/support/temp_dir.hpp"
#include "kbuild/support/tree_swap.hpp"

#include <fmt/format.h>

#include <chrono>

namespace kbuild::toolchain {
namespace {

using support::Result;
namespace fs = std::filesystem;

/// Somebody else may be fetching 0.5 GB over a slow line: an hour, or `KBUILD_LOCK_TIMEOUT`
/// seconds.
std::chrono::seconds lock_timeout() {
    constexpr std::chrono::seconds kDefault{3600};
    const auto text = support::environment("KBUILD_LOCK_TIMEOUT").value_or("");
    return std::chrono::seconds(support::whole_number<unsigned>(text).value_or(kDefault.count()));
}

std::string staging_prefix(const std::string& name) {
    return fmt::format(".tmp-{}-", support::replace_all(name, "@", "-"));
}

Result<support::FileLock>
lock_slot(const Store& store, const std::string& name, const OnProgress& on_progress) {
    return support::FileLock::acquire(
        store.root() / ".locks" / name, lock_timeout(), [&](const std::string& holder) {
            if (on_progress)
                on_progress(fmt::format("waiting for {}, which works on {}", holder, name));
        });
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
