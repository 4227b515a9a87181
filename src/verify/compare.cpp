#include "kbuild/verify/compare.hpp"

#include "kbuild/elf/elf_file.hpp"
#include "kbuild/support/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace kbuild::verify {
namespace {

namespace fs = std::filesystem;
using support::Result;

/// Bytes by the section's name; a second section of a name gets a number.
using Sections = std::map<std::string, std::string>;

Result<Sections> sections_of(const fs::path& path) {
    KB_TRY_ASSIGN(file, elf::read_elf(path));
    Sections sections;
    for (const auto& section : file.sections) {
        auto name = section.name;
        for (int number = 2; sections.contains(name); ++number)
            name = fmt::format("{} ({})", section.name, number);
        if (section.in_file) {
            KB_TRY_ASSIGN(bytes, elf::read_section(path, section));
            sections[name] = std::move(bytes);
        } else {
            sections[name] = fmt::format("{} bytes of zeros", section.size);
        }
    }
    return sections;
}

std::string difference(const std::string& before, const std::string& after) {
    if (before.size() != after.size())
        return fmt::format("{} bytes, were {}", after.size(), before.size());
    const auto at = std::mismatch(before.begin(), before.end(), after.begin()).first;
    return fmt::format("other bytes from {:#x}", at - before.begin());
}

std::vector<std::string> differences(const Sections& before, const Sections& after) {
    std::vector<std::string> lines;
    for (const auto& [name, bytes] : before) {
        const auto found = after.find(name);
        if (found == after.end())
            lines.push_back(fmt::format("`{}`: only in the old one", name));
        else if (found->second != bytes)
            lines.push_back(fmt::format("`{}`: {}", name, difference(bytes, found->second)));
    }
    for (const auto& [name, bytes] : after)
        if (!before.contains(name))
            lines.push_back(fmt::format("`{}`: only in the new one", name));
    std::sort(lines.begin(), lines.end());
    return lines;
}

} // namespace

Result<std::vector<std::string>> compare_libraries(const fs::path& old_one,
                                                   const fs::path& new_one) {
    KB_TRY_ASSIGN(before, support::read_file(old_one));
    KB_TRY_ASSIGN(after, support::read_file(new_one));
    if (before == after)
        return std::vector<std::string>();
    KB_TRY_ASSIGN(old_sections, sections_of(old_one));
    KB_TRY_ASSIGN(new_sections, sections_of(new_one));
    auto lines = differences(old_sections, new_sections);
    if (lines.empty())
        lines.emplace_back("headers: other bytes outside of all sections");
    return lines;
}

} // namespace kbuild::verify
