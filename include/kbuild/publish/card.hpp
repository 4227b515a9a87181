#pragma once

#include "kbuild/diag/sink.hpp"
#include "kbuild/diag/source.hpp"
#include "kbuild/support/result.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kbuild::publish {

/// What a name in CARD.md may stand for.
using CardValue = std::variant<bool, std::string, std::vector<std::string>>;
using CardValues = std::map<std::string, CardValue>;

/// Fills a card: `{{ name }}` (with the filters `lower`, `upper`, `join("…")`), `{% if [not] name
/// %}` … `{% elif %}` … `{% else %}` … `{% endif %}`, `{% for x in name %}` … `{% endfor %}`, `{# …
/// #}`; the line end after a block is dropped, and a `-` at a mark drops blanks on that side, as
/// upstream's template engine does it. Anything else, and a name that is not among `values`, is
/// K1008 with its place; then the result is none. A value that is there but empty prints nothing
/// and counts as false.
std::optional<std::string>
render_card(const diag::SourceFilePtr& file, const CardValues& values, diag::Sink& sink);

/// What cards know (upstream.md 6.6).
struct CardFacts {
    std::string repo_id;
    std::uint64_t version = 0;
    std::string module;
    std::string license;
    std::optional<std::string> upstream;
    std::optional<std::string> source;
};

/// Values for a project's card: `repo_id`, `version`, `functions`, `layers`, `has_benchmark`,
/// `upstream`, `source`, `license`.
support::Result<CardValues> card_values(const std::filesystem::path& project,
                                        const CardFacts& facts);

/// The texts of a top-level `__all__ = [ … ]` of Python source; empty if there is none or it is not
/// a plain list of texts.
std::vector<std::string> exported_names(std::string_view python);

/// Names of the classes at the top level of Python source, in order.
std::vector<std::string> class_names(std::string_view python);

} // namespace kbuild::publish
