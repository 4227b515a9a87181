#include "lint.hpp"

#include "kbuild/diag/finding.hpp"
#include "kbuild/support/file.hpp"

#include <fmt/format.h>

namespace kbuild::audit {
namespace {

const std::string kMetadata = std::string(kPlace) + "/metadata.json";

void warn(
    diag::Sink& sink, std::string code, std::string message, std::string note, std::string help) {
    auto finding = diag::warning(std::move(code), std::move(message), {}, {});
    finding.notes.push_back(std::move(note));
    finding.help.push_back(std::move(help));
    sink.report(std::move(finding));
}

void lint_origin(const layout::Metadata& metadata, diag::Sink& sink) {
    if (!metadata.provenance || !metadata.provenance->kernel)
        return warn(sink,
                    "K0743",
                    fmt::format("`{}` does not say of which commit the variant is", kMetadata),
                    "nobody can read the sources of what runs, or build it again",
                    "build in a git repository, from a commit");
    const auto& provenance = *metadata.provenance;
    if (provenance.kernel->dirty)
        return warn(sink,
                    "K0743",
                    fmt::format("`{}`: the variant is of a commit with changes that are in no "
                                "commit",
                                kMetadata),
                    fmt::format("the commit is {}; the loader warns its users of it",
                                provenance.kernel->commit.substr(0, 12)),
                    "commit, then build again");
    if (provenance.builder_commit && provenance.builder_commit->dirty)
        warn(sink,
             "K0743",
             fmt::format("`{}`: the builder had changes that are in no commit", kMetadata),
             "the loader warns its users of it",
             "build with a released builder");
}

void lint_digest(const layout::Metadata& metadata, diag::Sink& sink) {
    if (!metadata.digest)
        warn(sink,
             "K0744",
             fmt::format("`{}` has no digest", kMetadata),
             "nothing tells a file that was changed from the one that was built, and nothing can "
             "be signed",
             "build it with kbuild, or let upstream's `kernel-builder hash` add one");
}

void lint_shape(const VariantReport& variant, diag::Sink& sink) {
    if (variant.shape == Shape::legacy)
        warn(sink,
             "K0745",
             fmt::format("the variant has the folders of before 2026: `{}/{}/…`",
                         kPlace,
                         variant.metadata->name),
             "loaders take it still, through a second look",
             "build it again with a current builder");
}

} // namespace

void lint_folder(const VariantReport& variant, diag::Sink& sink) {
    if (!variant.metadata)
        return;
    lint_origin(*variant.metadata, sink);
    lint_digest(*variant.metadata, sink);
    lint_shape(variant, sink);
}

} // namespace kbuild::audit
