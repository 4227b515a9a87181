#pragma once

#include "upload.hpp"

#include "kbuild/publish/content.hpp"

namespace kbuild::cli {

/// What is published and where to.
struct Gathered {
    publish::LocalContent content;
    std::string branch;
};

/// Reads and checks the built variants, benchmarks and card. None: they may not be published, and
/// why was shown.
support::Result<std::optional<Gathered>> gather(const Context& context,
                                                const UploadProject& project,
                                                const UploadOptions& options,
                                                const hub::Repository& repository);

} // namespace kbuild::cli
