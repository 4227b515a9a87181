#include "offload_bundler.hpp"

#include "kbuild/process/runner.hpp"
#include "kbuild/support/numbers.hpp"
#include "kbuild/support/strings.hpp"

#include <algorithm>

namespace kbuild::build {
namespace {

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

support::Result<std::optional<generate::Bundler>> find_bundler(const generate::HipToolchain& hip) {
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
    return bundler_in(output.out);
}

} // namespace kbuild::build
