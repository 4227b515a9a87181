#include "offload_bundler.hpp"

#include "configure_seed.hpp"

#include "kbuild/build/configure.hpp"
#include "kbuild/build/steps.hpp"
#include "kbuild/process/runner.hpp"
#include "kbuild/step/bundle.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/file_state.hpp"
#include "kbuild/support/numbers.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::build {
namespace {

namespace fs = std::filesystem;
using support::Result;

/// The words of a command as clang prints it: each in double quotes, `"`, `\` and `$` escaped.
std::vector<std::string> printed_words(std::string_view line) {
    std::vector<std::string> words;
    bool inside = false;
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (line[at] == '"') {
            inside = !inside;
            if (inside)
                words.emplace_back();
        } else if (inside) {
            if (line[at] == '\\' && at + 1 < line.size())
                ++at;
            words.back() += line[at];
        }
    }
    return words;
}

/// Of `… clang version 17.0.6 …`; 0 if that is not what it says.
unsigned major_of_clang(std::string_view line) {
    constexpr std::string_view kBefore = "clang version ";
    const auto at = line.find(kBefore);
    if (at == std::string_view::npos)
        return 0;
    const auto version = line.substr(at + kBefore.size());
    return support::whole_number<unsigned>(version.substr(0, version.find('.'))).value_or(0);
}

/// What clang would run to compile an empty HIP file.
Result<std::string> ask_clang(const generate::HipToolchain& hip) {
    process::Command command;
    command.program = hip.clang;
    command.arguments = {"-###",
                         "--rocm-path=" + hip.rocm_root,
                         "--offload-arch=" + hip.first_arch,
                         "-x",
                         "hip",
                         "-c",
                         "/dev/null",
                         "-o",
                         "/dev/null"};
    command.environment = process::clean_environment();
    KB_TRY_ASSIGN(output, process::run(command, {.merge_stderr = true}));
    return std::move(output.out);
}

/// Where what `program` of the tree's SDK answers is kept.
fs::path
remembered(const generate::Tree& tree, std::string_view question, const fs::path& program) {
    const auto key = support::Fingerprint()
                         .add("question", question)
                         .add("sdk", tree.fingerprint)
                         .add("program", support::identity_of_program(program))
                         .add("rocm", tree.hip->rocm_root)
                         .hex();
    return remembered_configures() / (key.substr(0, 32) + "." + std::string(question));
}

/// What was said before, else what `ask` says now. What is of no use is not kept: the next build
/// asks again.
template <typename Ask, typename IsOfUse>
Result<std::string> answer(const fs::path& file, const Ask& ask, const IsOfUse& is_of_use) {
    if (auto said = support::read_file(file); said && is_of_use(*said))
        return said;
    KB_TRY_ASSIGN(said, ask());
    if (is_of_use(said))
        (void)support::write_file_atomically(file, said); // a cache
    return said;
}

/// What the SDK's bundler makes of kTrialInputs.
Result<std::string> try_out(const generate::Bundler& bundler) {
    KB_TRY_ASSIGN(scratch, support::TempDir::create_temporary("kbuild-bundle-"));
    process::Command command{bundler.program, bundler.options, {}, process::clean_environment()};
    std::string targets = "-targets=" + bundler.host_target;
    command.arguments.emplace_back("-input=/dev/null");
    for (const auto& [target, bytes] : kTrialInputs) {
        const auto file = scratch.path() / bytes;
        KB_TRY(support::write_file_atomically(file, bytes));
        command.arguments.push_back("-input=" + file.string());
        targets += fmt::format(",{}", target);
    }
    const auto bundle = scratch.path() / "bundle";
    command.arguments.push_back(targets);
    command.arguments.push_back("-output=" + bundle.string());
    KB_TRY(process::run_ok(command, support::ErrorKind::toolchain));
    return support::read_file(bundle);
}

/// What kbuild-bundle makes of kTrialInputs.
std::string joined(const std::string& host_target) {
    step::BundleRequest request{4096, {host_target}, {}, {}};
    std::vector<std::uint64_t> sizes{0};
    for (const auto& [target, bytes] : kTrialInputs) {
        request.targets.emplace_back(target);
        sizes.push_back(bytes.size());
    }
    const auto layout = step::lay_out(request, sizes);
    auto bundle = layout.header;
    for (std::size_t i = 0; i < kTrialInputs.size(); ++i) {
        bundle.resize(layout.offsets[i + 1]);
        bundle += kTrialInputs[i].second;
    }
    return bundle;
}

} // namespace

std::optional<generate::Bundler> bundler_in(std::string_view printed) {
    constexpr std::string_view kTargets = "-targets=";
    unsigned clang = 0;
    for (const auto& line : support::split(printed, '\n')) {
        clang = std::max(clang, major_of_clang(line));
        const auto words = printed_words(line);
        if (words.empty() || !support::contains(words[0], "clang-offload-bundler"))
            continue;
        generate::Bundler bundler{words[0], {}, {}, clang};
        for (std::size_t i = 1; i < words.size(); ++i) {
            if (words[i].starts_with(kTargets))
                bundler.host_target =
                    words[i].substr(kTargets.size(), words[i].find(',') - kTargets.size());
            else if (!words[i].starts_with("-input=") && !words[i].starts_with("-output="))
                bundler.options.push_back(words[i]);
        }
        if (bundler.host_target.starts_with("host-"))
            return bundler;
    }
    return std::nullopt;
}

generate::Bundler with_our_program(generate::Bundler bundler, std::string_view trial) {
    for (const auto* const completed : {"", "-", "--"})
        if (auto host = bundler.host_target + completed; joined(host) == trial) {
            bundler.program = fmt::format("./{}", kBundleProgram);
            bundler.host_target = std::move(host);
            break;
        }
    return bundler;
}

Result<std::optional<generate::Bundler>> find_bundler(const generate::Tree& tree) {
    KB_TRY_ASSIGN(said,
                  answer(
                      remembered(tree, "bundler", tree.hip->clang),
                      [&] { return ask_clang(*tree.hip); },
                      [](const std::string& printed) { return bundler_in(printed).has_value(); }));
    const auto bundler = bundler_in(said);
    const std::vector<std::string> plain{"-type=o", "-bundle-align=4096"};
    if (!bundler || bundler->options != plain || !find_step_program(kBundleProgram))
        return bundler;
    const auto trial = answer(
        remembered(tree, "bundle", bundler->program),
        [&] { return try_out(*bundler); },
        [&](const std::string& made) {
            return with_our_program(*bundler, made).program != bundler->program;
        });
    if (!trial && trial.error().kind == support::ErrorKind::interrupted)
        return tl::unexpected(trial.error());
    // Otherwise the build itself says what is wrong with it.
    return trial ? with_our_program(*bundler, *trial) : bundler;
}

} // namespace kbuild::build
