#include "kbuild/build/compile_passes.hpp"

#include "offload_bundler.hpp"
#include "pass_request.hpp"

#include "kbuild/precompile/precompiled.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <future>
#include <map>
#include <set>

namespace kbuild::build {
namespace {

using generate::DevicePass;
using generate::Library;
using generate::Source;
using generate::Tree;
using precompile::Precompiled;
using support::Result;

constexpr std::chrono::milliseconds kTick(100);
constexpr std::string_view kOffloadArch = "--offload-arch=";

/// Options that change what the driver does besides compiling for each architecture.
bool needs_one_command(const std::vector<std::string>& options) {
    constexpr std::array kOptions = {"-fgpu-rdc",
                                     "-flto",
                                     "-foffload-lto",
                                     "-save-temps",
                                     "--save-temps",
                                     "--offload-new-driver",
                                     "--no-offload-new-driver",
                                     "--offload-compress",
                                     "-gz=",
                                     "--cuda-",
                                     "--offload-device-only",
                                     "--offload-host-only",
                                     "-frecord-command-line",
                                     "-grecord-command-line",
                                     "-frecord-gcc-switches",
                                     "-grecord-gcc-switches",
                                     "--no-gpu-bundle-output",
                                     "--gpu-bundle-output",
                                     "-Xarch_",
                                     "-Xoffload-"};
    return std::any_of(options.begin(), options.end(), [&](const std::string& option) {
        return support::starts_with_any(option, kOptions);
    });
}

std::vector<std::string> archs_in(const std::vector<std::string>& options) {
    std::set<std::string> archs;
    for (const auto& option : options)
        if (option.starts_with(kOffloadArch))
            archs.insert(option.substr(kOffloadArch.size()));
    return {archs.begin(), archs.end()};
}

/// The device pass of `source` for one of its architectures.
DevicePass device_pass(const Source& source, const std::string& arch) {
    DevicePass pass{arch, source.options};
    std::erase_if(pass.options,
                  [](const std::string& option) { return option.starts_with(kOffloadArch); });
    pass.options.push_back(std::string(kOffloadArch) + arch);
    pass.options.insert(pass.options.end(), {"--cuda-device-only", "--no-gpu-bundle-output"});
    return pass;
}

Result<void> split_units(Tree& tree) {
    if (!tree.hip)
        return {};
    KB_TRY_ASSIGN(bundler, find_bundler(tree));
    if (!bundler)
        return {};
    tree.hip->bundler = std::move(*bundler);
    for (auto& library : tree.libraries)
        for (auto& source : library.sources) {
            if (needs_one_command(source.options) || needs_one_command(library.options))
                continue;
            for (const auto& arch : archs_in(source.options))
                source.device_passes.push_back(device_pass(source, arch));
        }
    return {};
}

/// One pass that could use a precompiled header, and where to say so.
struct Candidate {
    std::string unit;
    PassRequest wanted;
    std::vector<std::string>* options = nullptr;
};

/// Precompiled headers by the key of their request; each is made once.
class Headers {
  public:
    explicit Headers(const PassOptions& options) : options_(options) {}

    /// Makes those of `requests` that are not there, several at a time.
    Result<void> provide(const std::vector<precompile::Request>& requests) {
        std::map<std::string, precompile::Request> missing;
        for (const auto& request : requests) {
            const auto key = precompile::key_of(request);
            if (found_.contains(key))
                continue;
            if (auto found = precompile::find(options_.store, request))
                found_.emplace(key, std::move(found));
            else
                missing.emplace(key, request);
        }
        return make(missing);
    }

    const Result<Precompiled>& get(const precompile::Request& request) const {
        return found_.at(precompile::key_of(request));
    }

    std::size_t made() const { return made_; }

  private:
    Result<void> make(const std::map<std::string, precompile::Request>& missing) {
        if (missing.empty())
            return {};
        if (options_.say)
            options_.say(fmt::format("precompiling {} of SDKs, once for all projects",
                                     support::plural(missing.size(), "header set")));
        std::vector<std::pair<std::string, precompile::Request>> queue(missing.begin(),
                                                                       missing.end());
        std::vector<Result<Precompiled>> results(queue.size(), Precompiled());
        std::atomic<std::size_t> next = 0;
        std::atomic<std::size_t> done = 0;
        const auto work = [&] {
            for (auto i = next++; i < queue.size(); i = next++, ++done)
                results[i] = precompile::ensure(options_.store, queue[i].second);
        };
        std::vector<std::future<void>> workers;
        for (std::size_t i = 0; i < std::min<std::size_t>(options_.jobs, queue.size()); ++i)
            workers.push_back(std::async(std::launch::async, work));
        for (auto& worker : workers) {
            while (worker.wait_for(kTick) != std::future_status::ready)
                if (options_.on_tick)
                    options_.on_tick(done, queue.size());
            worker.get();
        }
        for (std::size_t i = 0; i < queue.size(); ++i) {
            if (!results[i] && results[i].error().kind == support::ErrorKind::interrupted)
                return tl::unexpected(results[i].error());
            made_ += results[i] ? 1 : 0;
            found_.emplace(queue[i].first, std::move(results[i]));
        }
        return {};
    }

    const PassOptions& options_;
    std::map<std::string, Result<Precompiled>> found_;
    std::size_t made_ = 0;
};

std::vector<Candidate> candidates_of(Tree& tree, const Plan& plan) {
    std::vector<Candidate> candidates;
    for (auto& library : tree.libraries)
        for (auto& source : library.sources) {
            const auto leading = plan.leading.find({library.name, source.path});
            if (leading == plan.leading.end())
                continue;
            for (auto& pass : source.device_passes)
                if (auto wanted = pass_request(tree, library, source, &pass, leading->second))
                    candidates.push_back(
                        {source.path + " for " + pass.arch, std::move(*wanted), &pass.options});
            if (auto wanted = pass_request(tree, library, source, nullptr, leading->second))
                candidates.push_back({source.path, std::move(*wanted), &source.options});
        }
    return candidates;
}

/// Takes the `-D…` that the headers mention into the request; whether there were any.
bool add_mentioned(PassRequest& wanted, const Precompiled& header) {
    std::vector<std::string> unmentioned;
    for (auto& definition : wanted.left_out)
        (header.mentions(name_of_macro(definition)) ? wanted.request.options : unmentioned)
            .push_back(definition);
    const bool any = unmentioned.size() != wanted.left_out.size();
    wanted.left_out = std::move(unmentioned);
    return any;
}

bool defines(const std::vector<std::string>& options, const std::string& macro) {
    return std::any_of(options.begin(), options.end(), [&](const std::string& option) {
        return option.starts_with("-D") && name_of_macro(option) == macro;
    });
}

/// Leaves out the headers from the first on that stands behind a macro of a name which is used in
/// them; whether there was one.
bool cut_at_macro(PassRequest& wanted, const Precompiled& header) {
    const auto first =
        std::find_if(wanted.macros.begin(), wanted.macros.end(), [&](const auto& macro) {
            return macro.before < wanted.request.headers.size() &&
                   (header.mentions(macro.name) ||
                    // As an include guard it would leave out what is in the precompiled header.
                    defines(wanted.request.options, macro.name) ||
                    defines(wanted.left_out, macro.name));
        });
    if (first == wanted.macros.end())
        return false;
    wanted.request.headers.resize(first->before);
    if (wanted.request.headers.empty())
        wanted.refusal =
            fmt::format("it defines {} before its headers, which use that name, or an option does",
                        first->name);
    return true;
}

/// Why a pass may not use a header that there is; empty if it may.
std::string objection(const PassRequest& wanted, const Precompiled& header) {
    for (const auto& folder : wanted.folders)
        if (header.shadowed_by(folder, wanted.roots))
            return fmt::format("`{}` has a file of the name of one of the headers", folder);
    return {};
}

/// Changes the request to what the header that there is shows to be needed; whether it did.
bool adapt(PassRequest& wanted, const Result<Precompiled>& header) {
    return header && (cut_at_macro(wanted, *header) || add_mentioned(wanted, *header));
}

std::vector<precompile::Request> requests_of(const std::vector<Candidate>& candidates) {
    std::vector<precompile::Request> requests;
    for (const auto& candidate : candidates)
        if (candidate.wanted.refusal.empty())
            requests.push_back(candidate.wanted.request);
    return requests;
}

void settle(Candidate& candidate, const Headers& headers, CompilePasses& result) {
    auto reason = candidate.wanted.refusal;
    if (reason.empty()) {
        const auto& header = headers.get(candidate.wanted.request);
        reason = header ? objection(candidate.wanted, *header) : header.error().message;
        if (reason.empty()) {
            candidate.options->insert(candidate.options->end(),
                                      {"-include-pch", header->file.string()});
            ++result.used;
            return;
        }
    }
    result.textual.push_back({candidate.unit, std::move(reason)});
}

Result<void> use_precompiled(const Plan& plan, const PassOptions& options, CompilePasses& result) {
    std::vector<Candidate> candidates;
    for (auto& tree : result.trees) {
        // Those of g++ take as long to read as they save, and 700 MB each (docs/decisions/0093).
        if (!support::contains(std::filesystem::path(tree.cxx).filename().string(), "clang"))
            continue;
        for (auto& candidate : candidates_of(tree, plan))
            candidates.push_back(std::move(candidate));
    }
    Headers headers(options);
    // What a header mentions is known once it is there; each round takes macros into requests or
    // headers out of them, so that there is a last one.
    for (bool changed = true; changed;) {
        KB_TRY(headers.provide(requests_of(candidates)));
        changed = false;
        for (auto& candidate : candidates)
            if (candidate.wanted.refusal.empty())
                changed |= adapt(candidate.wanted, headers.get(candidate.wanted.request));
    }
    for (auto& candidate : candidates)
        settle(candidate, headers, result);
    std::sort(result.textual.begin(), result.textual.end());
    result.made = headers.made();
    return {};
}

} // namespace

Result<CompilePasses> compile_passes(const Plan& plan, const PassOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    CompilePasses result;
    result.trees = plan.trees;
    if (options.split)
        for (auto& tree : result.trees)
            KB_TRY(split_units(tree));
    if (options.precompile)
        KB_TRY(use_precompiled(plan, options, result));
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

} // namespace kbuild::build
