#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <system_error>

namespace kbuild::layout {
namespace {

namespace fs = std::filesystem;
using support::Result;

bool is_covered(const fs::path& relative) {
    if (relative == "metadata.json" || relative == "metadata.json.sigstore" ||
        relative.extension() == ".pyc")
        return false;
    return std::none_of(relative.begin(), relative.end(), [](const fs::path& part) {
        return part == "__pycache__";
    });
}

/// Covered files below `root`, relative, sorted as strings (fs::path sorts folder by folder).
Result<std::vector<std::string>> covered_files(const fs::path& root) {
    std::vector<std::string> files;
    std::error_code code;
    fs::recursive_directory_iterator entry(root, code);
    for (const fs::recursive_directory_iterator end; !code && entry != end; entry.increment(code)) {
        const auto relative = entry->path().lexically_relative(root);
        if (!is_covered(relative))
            continue;
        const auto type = entry->status(code).type();
        if (type == fs::file_type::not_found)
            return support::fail(
                support::ErrorKind::content,
                fmt::format("the link `{}` leads nowhere", support::display_path(entry->path())));
        if (!code && type == fs::file_type::regular)
            files.push_back(relative.generic_string());
    }
    if (code)
        return support::fail(
            support::ErrorKind::failed,
            fmt::format("cannot list `{}`: {}", support::display_path(root), code.message()));
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace

Result<std::vector<DigestEntry>> digest_folder(const fs::path& variant_dir) {
    KB_TRY_ASSIGN(files, covered_files(variant_dir));
    std::vector<DigestEntry> entries;
    for (auto& file : files) {
        KB_TRY_ASSIGN(digest, support::sha256_file(variant_dir / file));
        entries.push_back({std::move(file), support::to_base64(digest)});
    }
    return entries;
}

Result<std::vector<DigestDifference>> compare_digest(const std::vector<DigestEntry>& expected,
                                                     const fs::path& variant_dir) {
    using Kind = DigestDifference::Kind;
    KB_TRY_ASSIGN(entries, digest_folder(variant_dir));
    std::map<std::string, std::string> found;
    for (auto& entry : entries)
        found.emplace(std::move(entry.path), std::move(entry.base64));
    std::map<std::string, std::string> wanted;
    for (const auto& entry : expected)
        wanted.emplace(entry.path, entry.base64);
    std::vector<DigestDifference> differences;
    for (const auto& [path, base64] : wanted) {
        const auto file = found.find(path);
        if (file == found.end())
            differences.push_back({Kind::missing, path});
        else if (file->second != base64)
            differences.push_back({Kind::different, path});
    }
    for (const auto& [path, base64] : found)
        if (!wanted.contains(path))
            differences.push_back({Kind::unknown, path});
    return differences;
}

} // namespace kbuild::layout
