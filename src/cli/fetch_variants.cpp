#include "fetch_variants.hpp"

#include "transfer_line.hpp"

namespace kbuild::cli {

using support::Result;

Result<publish::DownloadSummary> fetch_variants(const Context& context,
                                                const hub::Connection& connection,
                                                const RepositoryState& state,
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
    auto summary = publish::download_variants(
        connection, state.repository, state.commit, variants, target, [&line](std::int64_t more) {
            line.add(more);
        });
    line.finish();
    return summary;
}

} // namespace kbuild::cli
