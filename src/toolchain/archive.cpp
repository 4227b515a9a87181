#include "archive.hpp"

#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kbuild::toolchain {
namespace {

using nlohmann::ordered_json;
using support::ErrorKind;
using support::Result;
namespace fs = std::filesystem;

constexpr std::string_view kDescription = "archive.json";
constexpr int kFormat = 1;

tl::unexpected<support::Error> unreadable(const fs::path& folder) {
    return support::fail(
        ErrorKind::toolchain,
        fmt::format("`{}` cannot be read", support::display_path(folder / kDescription)),
        "save the files again with `kbuild toolchain add --save`");
}

Result<SdkArchive> parse(const std::string& text, const fs::path& folder) {
    try {
        const auto document = ordered_json::parse(text);
        SdkArchive archive{
            document.at("sdk"), document.at("source"), document.at("compiler_major"), {}};
        for (const auto& file : document.at("files"))
            archive.files.push_back({file.at("role"),
                                     file.at("name"),
                                     file.at("version"),
                                     file.at("sha256"),
                                     file.at("file")});
        if (document.at("format") == kFormat)
            return archive;
        return unreadable(folder);
    } catch (const std::exception&) {
        return unreadable(folder); // whatever is wrong with it, the same can be done
    }
}

/// A name without a folder: what comes from a file must not lead out of the archive.
bool is_plain_name(const std::string& name) {
    return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

Result<void> check_file(const fs::path& folder, const ArchivedFile& file) {
    const auto path = folder / file.file;
    if (!is_plain_name(file.file) || !support::is_file(path))
        return support::fail(ErrorKind::toolchain,
                             fmt::format("the saved files in `{}` lack `{}`",
                                         support::display_path(folder),
                                         file.file));
    KB_TRY_ASSIGN(digest, support::sha256_file(path));
    if (support::to_hex(digest) != file.sha256)
        return support::fail(ErrorKind::toolchain,
                             fmt::format("`{}` is damaged: its SHA-256 is not the saved one",
                                         support::display_path(path)),
                             "remove the folder and save the files again");
    return {};
}

} // namespace

Result<void> save_archive(const fs::path& folder,
                          const SdkArchive& archive,
                          const std::vector<fs::path>& paths) {
    ordered_json files = ordered_json::array();
    KB_TRY(support::remove_tree(folder / kDescription));
    for (std::size_t i = 0; i < archive.files.size(); ++i) {
        const auto& file = archive.files[i];
        files.push_back({{"role", file.role},
                         {"name", file.name},
                         {"version", file.version},
                         {"sha256", file.sha256},
                         {"file", file.file}});
        KB_TRY(support::make_folder(folder));
        KB_TRY(support::copy_to(paths[i], folder / file.file));
    }
    const ordered_json document = {{"format", kFormat},
                                   {"sdk", archive.sdk},
                                   {"source", archive.source},
                                   {"compiler_major", archive.compiler_major},
                                   {"files", std::move(files)}};
    return support::write_file_atomically(folder / kDescription, document.dump(1) + "\n");
}

Result<SdkArchive> open_archive(const fs::path& folder, const std::string& sdk) {
    const auto text = support::read_file(folder / kDescription);
    if (!text)
        return support::fail(ErrorKind::toolchain,
                             fmt::format("there are no saved files of {} in `{}`",
                                         sdk,
                                         support::display_path(folder)),
                             fmt::format("save them where the network is: `kbuild toolchain add {} "
                                         "--save DIR`",
                                         sdk));
    KB_TRY_ASSIGN(archive, parse(*text, folder));
    if (archive.sdk != sdk)
        return support::fail(
            ErrorKind::toolchain,
            fmt::format("`{}` holds {}, not {}", support::display_path(folder), archive.sdk, sdk));
    for (const auto& file : archive.files)
        KB_TRY(check_file(folder, file));
    return archive;
}

} // namespace kbuild::toolchain
