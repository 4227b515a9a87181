#include "kbuild/config/load.hpp"
#include "kbuild/config/migrate.hpp"
#include "kbuild/config/model_text.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

// Whatever the bytes are: a model, or at least one error, each with a place inside the file. A text
// of an older edition is migrated, or left alone with an error; migrate_build_file() itself makes
// sure that the meaning stays, and calls it a bug otherwise.
namespace {

using namespace kbuild;

bool has_place(const diag::Diagnostic& finding) {
    return finding.span && finding.span.begin.line >= 1 && finding.span.begin.column >= 1 &&
           finding.span.begin.line <= finding.span.file->line_count() + 1;
}

void require(bool holds) {
    if (!holds)
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    diag::Collector findings;
    const auto config = config::parse_build_config("build.toml", text, findings);
    require(config.has_value() != findings.has_errors());
    for (const auto& finding : findings.sorted())
        require(has_place(finding));
    if (config)
        static_cast<void>(config::model_text(*config));

    diag::Collector reasons;
    const auto migration = config::migrate_build_file("build.toml", text, {"MIT"}, reasons);
    require(migration.has_value());
    require(migration->has_value() != reasons.has_errors());
    return 0;
}
