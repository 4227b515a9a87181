#include "apt_repository.hpp"

#include "host_architecture.hpp"

#include "kbuild/process/runner.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/toolchain/tool_environment.hpp"

#include <fmt/format.h>

#include <map>

namespace kbuild::toolchain {
namespace {

using support::ErrorKind;
using support::Result;
namespace fs = std::filesystem;

std::string sources_list(const AptMirror& mirror, const RocmRecipe& recipe) {
    const std::string options =
        mirror.keyring.empty() ? std::string() : fmt::format("[signed-by={}] ", mirror.keyring);
    std::string text;
    for (const auto& suite : recipe.suites)
        text += fmt::format(
            "deb {}{} {} {}\n", options, mirror.uri, suite, support::join(recipe.components, " "));
    return text;
}

std::string preferences_file(const RocmRecipe& recipe) {
    std::string text;
    for (const auto& entry : recipe.preferences)
        text += fmt::format("Package: {}\nPin: {}\nPin-Priority: {}\n\n",
                            entry.packages,
                            entry.pin,
                            entry.priority);
    return text;
}

/// A file and not `-o` options: only a file can clear the hooks that the machine's configuration
/// sets.
std::string apt_conf(const fs::path& folder) {
    return fmt::format(R"(#clear APT::Update;
#clear DPkg;
#clear Acquire::Languages;
#clear APT::Architectures;
APT::Architecture "{arch}";
APT::Architectures {{ "{arch}"; }};
APT::Install-Recommends "false";
APT::Sandbox::User "";
APT::Update::Error-Mode "any";
Acquire::Languages {{ "none"; }};
Acquire::Check-Valid-Until "false";
Acquire::Retries "2";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled "false";
Debug::NoLocking "true";
Dir::Etc::sourcelist "{folder}/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "{folder}/preferences";
Dir::Etc::preferencesparts "/dev/null";
Dir::State "{folder}/state";
Dir::State::status "{folder}/status";
Dir::Cache "{folder}/cache";
Dir::Cache::pkgcache "pkgcache.bin";
Dir::Cache::srcpkgcache "srcpkgcache.bin";
Dir::Log "{folder}/log";
)",
                       fmt::arg("arch", host_architecture().debian),
                       fmt::arg("folder", folder.string()));
}

process::Command apt_command(const AptRepository& repository,
                             const std::string& program,
                             std::vector<std::string> arguments) {
    std::vector<std::string> words{"-c", repository.config().string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return {program, words, {}, fetch_environment()};
}

bool has_digest(const fs::path& file, const std::string& sha256) {
    const auto digest = support::sha256_file(file);
    return digest && support::to_hex(*digest) == sha256;
}

/// Files in a folder of .debs by package name (`name_version_arch.deb`).
Result<std::map<std::string, fs::path>> debs_by_package(const fs::path& folder) {
    KB_TRY_ASSIGN(names, support::list_names(folder));
    std::map<std::string, fs::path> debs;
    for (const auto& name : names)
        if (name.ends_with(".deb"))
            debs[name.substr(0, name.find('_'))] = folder / name;
    return debs;
}

/// The packages whose .deb is not there yet; a damaged or outdated one is removed.
Result<std::vector<std::string>> missing_debs(const std::vector<Package>& packages,
                                              const fs::path& folder) {
    KB_TRY_ASSIGN(debs, debs_by_package(folder));
    std::vector<std::string> missing;
    for (const auto& package : packages) {
        const auto found = debs.find(package.name);
        if (found != debs.end() && has_digest(found->second, package.sha256))
            continue;
        if (found != debs.end())
            KB_TRY(support::remove_tree(found->second));
        missing.push_back(package.name);
    }
    return missing;
}

} // namespace

Result<AptRepository>
make_apt_repository(const fs::path& folder, const AptMirror& mirror, const RocmRecipe& recipe) {
    if (folder.string().find_first_of("\"\n") != std::string::npos)
        return support::fail(
            ErrorKind::toolchain,
            fmt::format("apt cannot work in `{}`: a quote in the path", folder.string()),
            "set `XDG_CACHE_HOME` to another folder");
    const AptRepository repository{folder};
    for (const auto* name : {"state/lists/partial", "cache/archives/partial", "log"})
        KB_TRY(support::make_folder(folder / name));
    KB_TRY(support::write_file_if_changed(folder / "sources.list", sources_list(mirror, recipe)));
    KB_TRY(support::write_file_if_changed(folder / "preferences", preferences_file(recipe)));
    KB_TRY(support::write_file_if_changed(folder / "status", ""));
    KB_TRY(support::write_file_if_changed(repository.config(), apt_conf(folder)));
    return repository;
}

Result<void> update_lists(const AptRepository& repository) {
    KB_TRY(
        process::run_ok(apt_command(repository, "apt-get", {"-q", "update"}), ErrorKind::network));
    return {};
}

Result<PackageIndex> show_packages(const AptRepository& repository,
                                   const std::vector<std::string>& names) {
    if (names.empty())
        return PackageIndex{};
    std::vector<std::string> arguments{"show", "--no-all-versions"};
    arguments.insert(arguments.end(), names.begin(), names.end());
    // A name that the lists do not have makes exit code 100, though all others are shown.
    KB_TRY_ASSIGN(output, process::run(apt_command(repository, "apt-cache", arguments)));
    return parse_packages(output.out);
}

Result<std::vector<fs::path>> download_packages(const AptRepository& repository,
                                                const std::vector<Package>& packages,
                                                const fs::path& into) {
    KB_TRY(support::make_folder(into));
    KB_TRY_ASSIGN(missing, missing_debs(packages, into));
    if (!missing.empty()) {
        std::vector<std::string> arguments{"-q", "download"};
        arguments.insert(arguments.end(), missing.begin(), missing.end());
        auto command = apt_command(repository, "apt-get", arguments);
        command.folder = into;
        KB_TRY(process::run_ok(command, ErrorKind::network));
    }
    KB_TRY_ASSIGN(debs, debs_by_package(into));
    std::vector<fs::path> files;
    for (const auto& package : packages) {
        const auto found = debs.find(package.name);
        if (found == debs.end())
            return support::fail(ErrorKind::network,
                                 fmt::format("apt did not fetch `{}`", package.name));
        if (!has_digest(found->second, package.sha256))
            return support::fail(ErrorKind::network,
                                 fmt::format("`{}` is not the file that the signed lists name",
                                             found->second.filename().string()));
        files.push_back(found->second);
    }
    return files;
}

} // namespace kbuild::toolchain
