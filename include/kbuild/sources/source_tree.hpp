#pragma once

#include "kbuild/sources/cpp_file.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kbuild::sources {

/// The project's C++ and HIP files, each read once and when it is first asked for. Files are named
/// relative to the root, normalised, with `/`; files outside the root are not read.
class SourceTree {
  public:
    explicit SourceTree(std::filesystem::path root) : root_(std::move(root)) {}

    const std::filesystem::path& root() const { return root_; }

    /// Null if there is no such file or it cannot be read.
    const CppFile* file(const std::string& path);

    /// The project's file that an `#include` of `from` means: looked for in the folder of `from`,
    /// then in `folders`, as compilers do. None for a header from elsewhere.
    std::optional<std::string> resolve(const std::string& from,
                                       const std::string& name,
                                       const std::vector<std::string>& folders);

    /// The project's file `name` in the first of `folders` that has one.
    std::optional<std::string> find(const std::string& name,
                                    const std::vector<std::string>& folders);

    /// `start` and all files of the project that it includes, transitively; in the order in which
    /// they are met.
    std::vector<std::string> reachable(const std::string& start,
                                       const std::vector<std::string>& folders);

    /// The same from several files, each file once.
    std::vector<std::string> reachable(const std::vector<std::string>& starts,
                                       const std::vector<std::string>& folders);

  private:
    const std::string& find_in(std::string_view folder, const std::string& name);

    std::filesystem::path root_;
    std::unordered_map<std::string, std::unique_ptr<CppFile>> files_;
    std::unordered_map<std::string, std::string> found_; ///< folder, name -> file; empty: none
};

/// `path` (absolute or relative to `root`) as the tree names it; none if it is outside.
std::optional<std::string> name_in_tree(const std::filesystem::path& root,
                                        const std::filesystem::path& path);

} // namespace kbuild::sources
