#include "edition.hpp"

#include "kbuild/diag/finding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kbuild::config {
namespace {

const Value* general_value(const Value& root, std::string_view key) {
    const Value* const general = root.get_table("general");
    return general == nullptr ? nullptr : general->get(key);
}

/// Sections of the table `kernel`.
std::vector<const Value*> kernel_sections(const Value& root) {
    std::vector<const Value*> sections;
    if (const Value* const kernels = root.get_table("kernel"))
        for (const auto& entry : kernels->entries)
            sections.push_back(&entry.value);
    return sections;
}

/// Whether `[general]` says something that only editions 3 and later have.
bool is_later_than_2(const Value& root) {
    constexpr std::array kKeys = {"version", "license", "backends", "upstream", "source"};
    return std::any_of(kKeys.begin(), kKeys.end(), [&root](const char* key) {
        return general_value(root, key) != nullptr;
    });
}

std::vector<std::string> signs_of_1(const Value& root) {
    std::vector<std::string> signs;
    const auto sections = kernel_sections(root);
    const auto has = [&sections](std::string_view key) {
        return std::any_of(sections.begin(), sections.end(), [key](const Value* section) {
            return section->find(key) != nullptr;
        });
    };
    if (const Value* const torch = root.get_table("torch"); torch && torch->find("universal"))
        signs.emplace_back("there is `torch.universal`");
    if (has("language"))
        signs.emplace_back("kernel sections have a `language`");
    else if (!sections.empty() && !has("backend") && !is_later_than_2(root))
        signs.emplace_back("kernel sections have no `backend`");
    return signs;
}

std::vector<std::string> signs_of_2(const Value& root) {
    std::vector<std::string> signs;
    for (const auto* key : {"universal", "cuda-minver", "cuda-maxver"})
        if (general_value(root, key) != nullptr)
            signs.push_back(fmt::format("there is `general.{}`", key));
    if (!is_later_than_2(root))
        signs.emplace_back("there is no `general.backends`");
    return signs;
}

/// Whether there is what edition 3 did not have; what is missing besides is then a mistake.
bool is_later_than_3(const Value& root) {
    const auto has = [&root](std::string_view table, std::string_view key) {
        const Value* const found = root.get_table(table);
        return found != nullptr && found->find(key) != nullptr;
    };
    return root.find("torch-noarch") != nullptr || has("general", "source") ||
           has("torch", "stable-abi") || has("torch", "cxx-flags") || has("tvm-ffi", "cxx-flags");
}

std::vector<std::string> signs_of_3(const Value& root) {
    std::vector<std::string> signs;
    for (const auto* key : {"version", "license"})
        if (general_value(root, key) == nullptr)
            signs.push_back(fmt::format("there is no `general.{}`", key));
    if (!root.find("torch") && !root.find("tvm-ffi"))
        signs.emplace_back("there is no `[torch]`, `[torch-noarch]` or `[tvm-ffi]`");
    return signs;
}

Edition detect_undeclared(const Value& root) {
    if (is_later_than_3(root))
        return {4};
    if (auto signs = signs_of_1(root); !signs.empty())
        return {1, false, std::move(signs)};
    if (auto signs = signs_of_2(root); !signs.empty())
        return {2, false, std::move(signs)};
    if (auto signs = signs_of_3(root); !signs.empty())
        return {3, false, std::move(signs)};
    return {4};
}

/// How to bring a file of an older edition up to date.
std::vector<std::string> upgrade_steps(const Value& root, int edition) {
    if (edition == 4)
        return {fmt::format("add `edition = {}` to `[general]`, as `kbuild migrate` does",
                            kCurrentEdition)};
    if (general_value(root, "license") == nullptr)
        return {"run `kbuild migrate --license LICENSE`, which keeps comments and order"};
    return {"run `kbuild migrate`, which keeps comments and order"};
}

diag::SourceSpan place_of(const Value& root) {
    const Value* const general = root.get_table("general");
    return general == nullptr ? diag::SourceSpan{root.span.file, {1, 1}, {1, 1}} : general->span;
}

void report_unknown_edition(const Value& written, int edition, diag::Sink& sink) {
    const bool newer = edition > kCurrentEdition;
    auto problem =
        mistake("K0108",
                fmt::format("edition {} of build.toml is not known", edition),
                written.span,
                newer ? "newer than this kbuild" : "not an edition that is written down");
    problem.notes.push_back(fmt::format("this kbuild builds edition {}, and files of edition 4, "
                                        "which have no `edition`",
                                        kCurrentEdition));
    if (newer)
        problem.help.emplace_back("use a newer kbuild");
    else
        problem.help.push_back(fmt::format("write `edition = {}`", kCurrentEdition));
    sink.report(std::move(problem));
}

} // namespace

Edition detect_edition(const Value& root) {
    if (root.get_table("general") == nullptr)
        return {};
    const Value* const written = general_value(root, "edition");
    if (written == nullptr)
        return detect_undeclared(root);
    constexpr std::int64_t kMost = 1'000'000;
    if (written->kind == Value::Kind::integer && written->integer >= 0)
        return {static_cast<int>(std::min(written->integer, kMost)), true};
    return {};
}

bool report_edition(const Value& root, const Edition& edition, diag::Sink& sink) {
    if (edition.number == kCurrentEdition)
        return true;
    if (edition.written) {
        report_unknown_edition(*general_value(root, "edition"), edition.number, sink);
        return false;
    }
    const bool readable = edition.number == 4;
    auto problem =
        readable
            ? warning("K0109", "build.toml is of edition 4", place_of(root), "has no `edition`")
            : mistake(
                  "K0108",
                  fmt::format("build.toml is of edition {}, which cannot be built", edition.number),
                  place_of(root),
                  "has no `edition`");
    problem.notes = edition.signs;
    problem.help = upgrade_steps(root, edition.number);
    sink.report(std::move(problem));
    return true;
}

} // namespace kbuild::config
