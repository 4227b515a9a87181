#include "kbuild/generate/project.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/strings.hpp"

#include <algorithm>
#include <map>

namespace kbuild::generate {
namespace {

namespace fs = std::filesystem;
using support::Result;

constexpr std::size_t kHashDigits = 64;

/// A path that stays within the project: the manifest may come from elsewhere.
bool stays_inside(const fs::path& path) {
    if (path.empty() || path.is_absolute())
        return false;
    return std::none_of(path.begin(), path.end(), [](const auto& part) { return part == ".."; });
}

/// Path -> SHA-256 of what generate wrote; empty without a manifest.
Result<std::map<std::string, std::string>> read_manifest(const fs::path& root) {
    std::map<std::string, std::string> result;
    if (!support::is_file(root / kManifest))
        return result;
    KB_TRY_ASSIGN(text, support::read_file(root / kManifest));
    for (const auto& line : support::split(text, '\n')) {
        if (line.size() < kHashDigits + 3 || line.starts_with("#"))
            continue;
        const auto path = line.substr(kHashDigits + 2);
        if (stays_inside(path))
            result[path] = line.substr(0, kHashDigits);
    }
    return result;
}

Result<std::string> hash_of(const fs::path& file) {
    KB_TRY_ASSIGN(digest, support::sha256_file(file));
    return support::to_hex(digest);
}

} // namespace

Result<std::vector<std::string>> in_the_way(const fs::path& root, const model::FileSet& files) {
    KB_TRY_ASSIGN(written, read_manifest(root));
    std::vector<std::string> result;
    for (const auto& [path, bytes] : files) {
        if (!support::path_exists(root / path) || path == kManifest)
            continue;
        KB_TRY_ASSIGN(hash, hash_of(root / path));
        const auto known = written.find(path);
        const bool ours = known != written.end() && known->second == hash;
        if (!ours && hash != support::to_hex(support::sha256(bytes)))
            result.push_back(path);
    }
    return result;
}

Result<Generated> generated_files(const fs::path& root) {
    KB_TRY_ASSIGN(written, read_manifest(root));
    Generated result;
    for (const auto& [path, hash] : written) {
        if (!support::is_file(root / path))
            continue;
        KB_TRY_ASSIGN(now, hash_of(root / path));
        (now == hash ? result.files : result.changed).push_back(path);
    }
    if (support::is_file(root / kManifest))
        result.files.emplace_back(kManifest);
    std::sort(result.files.begin(), result.files.end());
    return result;
}

} // namespace kbuild::generate
