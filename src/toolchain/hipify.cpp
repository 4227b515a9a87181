#include "kbuild/toolchain/hipify.hpp"

#include "python.hpp"

#include "kbuild/support/embedded.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <set>

namespace kbuild::toolchain {
namespace {

using nlohmann::ordered_json;
using support::ErrorKind;
using support::Result;
namespace fs = std::filesystem;

constexpr std::string_view kScript = "hipify_sources.py";

/// In the tree, written last: what it was made from and what came out.
constexpr std::string_view kStampName = "kbuild-hipify.json";

/// Changes whenever the outcome may: converter, names, bytes, and where the project lies (`#line`
/// says it).
Result<std::string> key_of(const model::TorchSdk& torch, const HipifyRequest& request) {
    support::Fingerprint print;
    print
        .add("script",
             support::embedded::find(support::embedded::data(), fmt::format("python/{}", kScript)))
        .add("torch", torch.fingerprint)
        .add("project", request.project.string());
    for (const auto& folder : request.folders)
        print.add("folder", folder);
    for (const auto* list : {&request.convert, &request.keep}) {
        print.add("list", "");
        for (const auto& name : *list) {
            KB_TRY_ASSIGN(digest, support::sha256_file(request.project / name));
            print.add(name, support::to_hex(digest));
        }
    }
    return print.hex();
}

Result<HipifiedTree> parse_tree(const ordered_json& document, const fs::path& root) {
    try {
        HipifiedTree tree{root, {}, {}, document.value("digest", std::string())};
        for (const auto& file : document.at("files"))
            tree.files.push_back({file.at("input"), file.at("output"), file.at("diff")});
        for (const auto& clash : document.at("clashes"))
            tree.clashes.push_back({clash.at(0), clash.at(1), clash.at(2)});
        std::sort(tree.files.begin(), tree.files.end(), [](const auto& a, const auto& b) {
            return a.input < b.input;
        });
        return tree;
    } catch (const std::exception& error) {
        return support::fail(ErrorKind::toolchain,
                             fmt::format("`{}` said nothing sensible: {}", kScript, error.what()));
    }
}

/// The tree as an earlier run left it, if it was made from the same things.
std::optional<HipifiedTree> up_to_date_tree(const fs::path& root, const std::string& key) {
    const auto text = support::read_file(root / kStampName);
    const auto document = ordered_json::parse(text.value_or(""), nullptr, false);
    if (!document.is_object() || document.value("key", "") != key)
        return std::nullopt;
    auto tree = parse_tree(document, root);
    return tree ? std::optional(std::move(*tree)) : std::nullopt;
}

std::string stamp_text(const HipifiedTree& tree, const std::string& key) {
    ordered_json files = ordered_json::array();
    for (const auto& file : tree.files)
        files.push_back({{"input", file.input}, {"output", file.output}, {"diff", file.diff}});
    const ordered_json document = {{"key", key},
                                   {"digest", tree.digest},
                                   {"files", std::move(files)},
                                   {"clashes", ordered_json::array()}};
    return document.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string request_text(const HipifyRequest& request) {
    const ordered_json document = {
        {"convert", request.convert}, {"keep", request.keep}, {"folders", request.folders}};
    return document.dump();
}

/// Makes `into` hold the files of `fresh` and no others; files with the same bytes are left alone.
/// Returns the digest of all.
Result<std::string> bring_up_to_date(const fs::path& fresh, const fs::path& into) {
    KB_TRY(support::remove_tree(into / kStampName));
    KB_TRY_ASSIGN(files, support::list_files(fresh));
    KB_TRY_ASSIGN(old_files, support::list_files(into));
    const std::set<fs::path> wanted(files.begin(), files.end());
    for (const auto& old : old_files)
        if (!wanted.contains(old))
            KB_TRY(support::remove_tree(into / old));
    support::Fingerprint digest;
    for (const auto& file : files) {
        KB_TRY_ASSIGN(text, support::read_file(fresh / file));
        KB_TRY(support::write_file_if_changed(into / file, text));
        digest.add(file.generic_string(), text);
    }
    return digest.hex();
}

} // namespace

Result<HipifiedTree>
hipify(const model::TorchSdk& torch, const HipifyRequest& request, const fs::path& into) {
    KB_TRY_ASSIGN(key, key_of(torch, request));
    if (auto tree = up_to_date_tree(into, key))
        return std::move(*tree);
    KB_TRY_ASSIGN(scratch, support::TempDir::create(into.parent_path(), ".hipify-"));
    const auto fresh = scratch.path() / "out";
    const auto request_file = scratch.path() / "request.json";
    KB_TRY(support::write_file_atomically(request_file, request_text(request)));
    auto printed = run_script_ok(kScript,
                                 {torch.hipify.value_or(fs::path()).string(),
                                  request.project.string(),
                                  fresh.string(),
                                  request_file.string()});
    if (!printed)
        return support::pass_on(std::move(printed),
                                fmt::format("converting CUDA sources for {}", torch.name));
    KB_TRY_ASSIGN(tree, parse_tree(ordered_json::parse(*printed, nullptr, false), into));
    if (!tree.clashes.empty())
        return tree;
    KB_TRY_ASSIGN(digest, bring_up_to_date(fresh, into));
    tree.digest = std::move(digest);
    KB_TRY(support::write_file_atomically(into / kStampName, stamp_text(tree, key)));
    return tree;
}

} // namespace kbuild::toolchain
