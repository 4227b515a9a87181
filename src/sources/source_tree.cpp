#include "kbuild/sources/source_tree.hpp"

#include "kbuild/support/file.hpp"

#include <unordered_set>

namespace kbuild::sources {

namespace fs = std::filesystem;

const CppFile* SourceTree::file(const std::string& path) {
    const auto [entry, is_new] = files_.try_emplace(path);
    if (is_new)
        if (auto text = support::read_file(root_ / path))
            entry->second = std::make_unique<CppFile>(scan_cpp(std::move(*text)));
    return entry->second.get();
}

/// `folder/name` as the tree names it if there is such a file inside the project; else empty.
const std::string& SourceTree::find_in(std::string_view folder, const std::string& name) {
    std::string key;
    key.reserve(folder.size() + name.size() + 1);
    key.append(folder).append(1, '\0').append(name);
    const auto [entry, is_new] = found_.try_emplace(std::move(key));
    if (is_new && !name.starts_with('/')) {
        auto path = (fs::path(folder) / name).lexically_normal().generic_string();
        if (!path.starts_with("../") && support::is_file(root_ / path))
            entry->second = std::move(path);
    }
    return entry->second;
}

std::optional<std::string> SourceTree::resolve(const std::string& from,
                                               const std::string& name,
                                               const std::vector<std::string>& folders) {
    const auto slash = from.rfind('/');
    const std::string_view own =
        slash == std::string::npos ? std::string_view() : std::string_view(from).substr(0, slash);
    if (const auto& found = find_in(own, name); !found.empty())
        return found;
    return find(name, folders);
}

std::optional<std::string> SourceTree::find(const std::string& name,
                                            const std::vector<std::string>& folders) {
    for (const auto& folder : folders)
        if (const auto& found = find_in(folder, name); !found.empty())
            return found;
    return std::nullopt;
}

std::vector<std::string> SourceTree::reachable(const std::string& start,
                                               const std::vector<std::string>& folders) {
    return reachable(std::vector<std::string>{start}, folders);
}

std::vector<std::string> SourceTree::reachable(const std::vector<std::string>& starts,
                                               const std::vector<std::string>& folders) {
    std::vector<std::string> met;
    std::unordered_set<std::string> seen;
    for (const auto& start : starts)
        if (seen.insert(start).second)
            met.push_back(start);
    for (std::size_t i = 0; i < met.size(); ++i) {
        const CppFile* const current = file(met[i]);
        if (current == nullptr)
            continue;
        for (const auto& include : current->includes)
            if (auto path = resolve(met[i], include.name, folders))
                if (seen.insert(*path).second)
                    met.push_back(std::move(*path));
    }
    return met;
}

std::optional<std::string> name_in_tree(const fs::path& root, const fs::path& path) {
    const auto relative = path.is_absolute() ? path.lexically_relative(root).lexically_normal()
                                             : path.lexically_normal();
    auto name = relative.generic_string();
    if (name.empty() || name == ".." || name.starts_with("../"))
        return std::nullopt;
    if (name == ".")
        name.clear();
    if (name.ends_with('/'))
        name.pop_back();
    return name;
}

} // namespace kbuild::sources
