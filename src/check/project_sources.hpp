#pragma once

#include "kbuild/check/check.hpp"
#include "kbuild/sources/source_kind.hpp"
#include "kbuild/sources/source_tree.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace kbuild::check {

/// A file that build.toml lists.
struct ListedFile {
    std::string path; ///< as the source tree names it
    diag::SourceSpan span;
    sources::SourceKind kind = sources::SourceKind::other;
};

/// `[torch]` or a `[kernel.<name>]` of a listed backend.
struct Section {
    std::string key; ///< `torch.src`
    const config::KernelComponent* kernel = nullptr;
    std::vector<ListedFile> files;
    std::vector<std::string> folders; ///< where headers are looked for
};

/// The sections of build.toml that are built, with their files, and the tree to read them from.
class ProjectSources {
  public:
    explicit ProjectSources(const Subject& subject);

    const Subject& subject() const { return subject_; }
    sources::SourceTree& tree() { return tree_; }
    const std::vector<Section>& sections() const { return sections_; }

    /// Whether any section of build.toml lists the file, those that are not built included.
    bool is_listed(const std::string& path) const { return listed_.contains(path); }

    /// Backends that are listed and have a kernel section: those that get a library.
    const std::vector<model::Backend>& built_backends() const { return built_; }

    /// A place in a source for a diagnostic.
    diag::SourceSpan span(const std::string& path, std::size_t offset, std::size_t length);

  private:
    Section section_of(const config::Strings& src, const config::Strings& include) const;
    void add_listed(const config::Strings& src);

    const Subject& subject_;
    sources::SourceTree tree_;
    std::vector<Section> sections_;
    std::set<std::string, std::less<>> listed_;
    std::vector<model::Backend> built_;
    std::map<std::string, diag::SourceFilePtr> shown_;
};

/// A source file for diagnostics, named as messages name files.
diag::SourceFilePtr source_file(const std::filesystem::path& path, std::string text);

/// The macros that a backend's compiler is given, and those of other backends, which it is not
/// (upstream.md 3.3).
sources::Macros macros_of(model::Backend backend);

} // namespace kbuild::check
