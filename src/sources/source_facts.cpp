#include "kbuild/sources/source_facts.hpp"

#include "kbuild/support/strings.hpp"

#include <array>

namespace kbuild::sources {
namespace {

namespace fs = std::filesystem;

constexpr std::array kTorchPrefixes = {"torch/", "ATen/", "c10/", "caffe2/"};
constexpr std::array kHipPrefixes = {"hip/",
                                     "hipblas",
                                     "hipcub",
                                     "hipfft",
                                     "hipsolver",
                                     "hipsparse",
                                     "hiprand",
                                     "rocblas",
                                     "rocprim",
                                     "rocthrust",
                                     "rocwmma",
                                     "thrust/",
                                     "hsa/",
                                     "ck/"};

/// What a header from elsewhere brings.
void add_header(std::string_view name, SourceFacts& facts) {
    facts.torch |= support::starts_with_any(name, kTorchPrefixes);
    facts.hip |= support::starts_with_any(name, kHipPrefixes);
    facts.python |= name == "Python.h" || name == "registration.h";
}

} // namespace

bool is_sdk_header(std::string_view name) {
    return support::starts_with_any(name, kTorchPrefixes) ||
           support::starts_with_any(name, kHipPrefixes);
}

SourceKind source_kind(std::string_view path) {
    const auto extension = support::to_lower(fs::path(path).extension().string());
    if (extension == ".hip" || extension == ".cu")
        return SourceKind::device;
    if (extension == ".cpp" || extension == ".cc" || extension == ".cxx" || extension == ".c")
        return SourceKind::host;
    if (extension == ".h" || extension == ".hpp" || extension == ".hh" || extension == ".cuh" ||
        extension == ".hxx" || extension == ".inl" || extension == ".inc")
        return SourceKind::header;
    return SourceKind::other;
}

SourceFacts
facts_of(SourceTree& tree, const std::string& source, const std::vector<std::string>& folders) {
    SourceFacts facts;
    for (const auto& path : tree.reachable(source, folders)) {
        // A missing file is reported by the check of build.toml, with its place there.
        const CppFile* const file = tree.file(path);
        if (file == nullptr)
            continue;
        facts.extension_name |= file->has(WordKind::extension_name);
        for (const auto& include : file->includes)
            if (!tree.resolve(path, include.name, folders))
                add_header(include.name, facts);
    }
    return facts;
}

SourceFacts scan_source(const fs::path& root,
                        const fs::path& source,
                        const std::vector<fs::path>& include_dirs) {
    SourceTree tree(root);
    std::vector<std::string> folders;
    for (const auto& folder : include_dirs)
        if (auto name = name_in_tree(root, folder))
            folders.push_back(std::move(*name));
    const auto name = name_in_tree(root, source);
    return name ? facts_of(tree, *name, folders) : SourceFacts();
}

} // namespace kbuild::sources
