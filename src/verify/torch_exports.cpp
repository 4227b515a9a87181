#include "torch_exports.hpp"

#include "kbuild/support/file.hpp"

#include <fmt/format.h>

#include <string_view>

namespace kbuild::verify {

using support::Result;

namespace {

void find_in(std::string_view text,
             const std::set<std::string, std::less<>>& names,
             const std::string& library,
             Exporters& exporters) {
    while (!text.empty()) {
        const auto line = text.substr(0, text.find('\n'));
        if (const auto found = names.find(line); found != names.end())
            exporters[*found].insert(library);
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
}

} // namespace

Result<Exporters> find_exporters(const std::set<std::string>& names,
                                 const std::filesystem::path& symbols_dir) {
    constexpr std::string_view kEnding = ".txt";
    const std::set<std::string, std::less<>> wanted(names.begin(), names.end());
    KB_TRY_ASSIGN(files, support::list_names(symbols_dir));
    Exporters exporters;
    bool any = false;
    for (const auto& file : files) {
        if (!file.ends_with(kEnding))
            continue;
        KB_TRY_ASSIGN(text, support::read_file(symbols_dir / file));
        find_in(text, wanted, file.substr(0, file.size() - kEnding.size()), exporters);
        any = true;
    }
    if (!any)
        return support::fail(support::ErrorKind::toolchain,
                             fmt::format("there are no lists of exported names in `{}`",
                                         support::display_path(symbols_dir)));
    return exporters;
}

std::set<std::string> with_dependencies(const std::vector<std::string>& needed) {
    // What torch's libraries themselves need, level by level; the dynamic linker looks through all
    // of them.
    const std::map<std::string, std::vector<std::string>> brings = {
        {"libtorch.so", {"libtorch_cpu.so", "libtorch_hip.so", "libtorch_cuda.so"}},
        {"libtorch_hip.so", {"libc10_hip.so", "libtorch_cpu.so", "libc10.so"}},
        {"libtorch_cuda.so", {"libc10_cuda.so", "libtorch_cpu.so", "libc10.so"}},
        {"libc10_hip.so", {"libc10.so"}},
        {"libc10_cuda.so", {"libc10.so"}},
        {"libtorch_cpu.so", {"libc10.so"}},
    };
    std::set<std::string> all;
    std::vector<std::string> open = needed;
    while (!open.empty()) {
        const auto library = open.back();
        open.pop_back();
        const auto found = brings.find(library);
        if (all.insert(library).second && found != brings.end())
            open.insert(open.end(), found->second.begin(), found->second.end());
    }
    return all;
}

} // namespace kbuild::verify
