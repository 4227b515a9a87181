#include "fetch_variants.hpp"

#include "transfer_line.hpp"

#include <fmt/format.h>

namespace kbuild::cli {

using support::Result;

Result<PublishedKernel>
find_published(const Context& context, const std::string& repo_type, const std::string& text) {
    KB_TRY_ASSIGN(spec, publish::KernelSpec::parse(repository_type(repo_type), text));
    KB_TRY_ASSIGN(session, HubSession::open(context));
    const auto connection = session.connection();
    KB_TRY_ASSIGN(commit, publish::resolve_commit(connection, spec));
    KB_TRY_ASSIGN(files, hub::tree(connection, spec.repository, commit));
    auto variants = publish::variants_of(files);
    if (variants.empty())
        return support::fail(support::ErrorKind::nothing, fmt::format("`{}` has no variant", text));
    return PublishedKernel{
        std::move(session), {std::move(spec.repository), std::move(commit)}, std::move(variants)};
}

Result<publish::DownloadSummary> fetch_variants(const Context& context,
                                                const PublishedKernel& kernel,
                                                const Variants& variants,
                                                const std::filesystem::path& target) {
    std::uint64_t bytes = 0;
    std::size_t count = 0;
    for (const auto& [name, files] : variants)
        for (const auto& file : files) {
            bytes += file.size;
            ++count;
        }
    TransferLine line(context, "fetching");
    line.start(bytes, count);
    auto summary = publish::download_variants(kernel.session.connection(),
                                              kernel.state.repository,
                                              kernel.state.commit,
                                              variants,
                                              target,
                                              [&line](std::int64_t more) { line.add(more); });
    line.finish();
    return summary;
}

} // namespace kbuild::cli
