#pragma once

#include "kbuild/model/backend.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::config {

/// What a value has to be; validate.cpp checks it, messages and the JSON schema name it.
enum class Type {
    text,
    path,
    flag,
    boolean,
    unsigned_integer,
    version, ///< a string: `2.13`
    kernel_name,
    git_url,
    backend,
    kernel_backend, ///< one of the five that a kernel section can have
    dependency,     ///< entry of a kernel's `depends`
    gfx_arch,
    language,          ///< of a kernel section of edition 1
    python_dependency, ///< one of the two that edition 2 has
    driver,            ///< kbuild.toml
    policy,            ///< kbuild.toml
    layout,            ///< kbuild.toml: how a repository cuts ROCm into packages
    stable_abi,        ///< a version, or a table backend -> version
    kernel_dependency, ///< `{ repo-id, version }` or `{ repo-id, revision }`
    table,
    kernels, ///< the table of kernel sections
    budget,  ///< kbuild.toml: a table whose other keys are patterns with such a table each
    size     ///< `20 MiB`
};

struct TableRule;

/// One key of a table.
struct KeyRule {
    std::string_view name;
    Type type = Type::text;
    bool list = false;
    bool required = false;
    const TableRule* table = nullptr;        ///< of `table`, `kernel_dependency` and `kernels`
    std::optional<model::Backend> only = {}; ///< in a kernel section: of this backend only
    int since = 1;                           ///< first edition of those that share the table
    std::string_view example = {};           ///< of the value, for a key that is required
};

struct TableRule {
    std::string_view what; ///< `[general]`: for messages
    std::span<const KeyRule> keys;

    const KeyRule* find(std::string_view name) const;
};

/// build.toml of editions 4 and 5 (upstream.md 2.3, 2.4).
const TableRule& build_schema();

/// build.toml of edition 1, 2 or 3.
const TableRule& older_schema(int edition);

/// The one of the two that is of `edition`, 1 to 5.
const TableRule& build_schema_of(int edition);

/// kbuild.toml.
const TableRule& settings_schema();

/// The user's config.toml.
const TableRule& user_schema();

/// Whether a key is there in a file of `edition`, in a section of `backend` (if that is known).
bool applies(const KeyRule& rule, int edition, std::optional<model::Backend> backend);

/// The values that are allowed for a type with a closed set; empty for other types.
std::vector<std::string> allowed_values(Type type);

/// `a list of strings`, `an unsigned integer`.
std::string describe(Type type, bool list);

} // namespace kbuild::config
