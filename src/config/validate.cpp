#include "validate.hpp"

#include "budgets.hpp"
#include "check_value.hpp"

#include "kbuild/diag/finding.hpp"
#include "kbuild/model/version.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <set>

namespace kbuild::config {
namespace {

using model::Backend;

/// A table with what messages call it.
struct Place {
    const Value& table;
    const TableRule& rule;
    std::string path; ///< `kernel.gemm`; empty at the top
    std::optional<Backend> backend = {};

    std::string title() const {
        return path.empty() ? std::string(rule.what) : fmt::format("[{}]", path);
    }
    std::string path_of(std::string_view key) const {
        return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
    }
};

/// The table of editions 4 and 5 that is called the same; null if there is none.
const TableRule* table_of_today(const TableRule& here, const TableRule& top) {
    if (top.what == here.what)
        return &top;
    for (const auto& rule : top.keys)
        if (rule.table != nullptr)
            if (const auto* const found = table_of_today(here, *rule.table))
                return found;
    return nullptr;
}

/// Whether only a later edition has the key.
bool is_newer(const TableRule& here, std::string_view key, int edition) {
    if (edition > 3)
        return false;
    const auto* const today = table_of_today(here, build_schema());
    return today != nullptr && today->find(key) != nullptr;
}

class Validator {
  public:
    Validator(int edition, diag::Sink& sink) : edition_(edition), sink_(sink) {}

    void check_table(const Place& place) const {
        std::set<std::string> meant;
        const auto known = known_keys(place);
        for (const auto& entry : place.table.entries) {
            const KeyRule* const rule = place.rule.find(entry.key);
            if (rule != nullptr && applies(*rule, edition_, place.backend))
                check_entry(entry.value, *rule, place.path_of(entry.key));
            else
                meant.insert(report_unknown(place, entry, rule, known));
        }
        // A required key that is misspelt is one mistake: the unknown key says what was meant.
        for (const auto& rule : place.rule.keys)
            if (rule.required && applies(rule, edition_, place.backend) &&
                place.table.find(rule.name) == nullptr && !meant.contains(std::string(rule.name)))
                report_missing(place, rule);
    }

  private:
    void check_entry(const Value& value, const KeyRule& rule, const std::string& path) const {
        if (!rule.list)
            return check_one(value, rule, path);
        if (value.kind != Value::Kind::array)
            return sink_.report(wrong_kind(value, rule.type, true, fmt::format("`{}`", path)));
        for (const auto& item : value.items)
            check_one(item, rule, path);
    }

    void check_one(const Value& value, const KeyRule& rule, const std::string& path) const {
        if (!has_right_kind(value, rule.type, edition_))
            return sink_.report(
                wrong_kind(value,
                           rule.type,
                           false,
                           fmt::format("{}`{}`", rule.list ? "an entry of " : "", path)));
        switch (rule.type) {
        case Type::table:
            return check_table({value, *rule.table, path});
        case Type::kernel_dependency:
            return check_kernel_dependency(value, rule, path);
        case Type::kernels:
            return check_kernels(value, *rule.table, path);
        case Type::stable_abi:
            return check_stable_abi(value, path);
        case Type::budget:
            return check_budget(value, *rule.table, path);
        case Type::size:
            return check_size(value, path);
        default:
            if (auto problem = check_scalar(value, rule.type, path))
                sink_.report(std::move(*problem));
        }
    }

    void check_kernels(const Value& kernels, const TableRule& rule, const std::string& path) const {
        for (const auto& entry : kernels.entries) {
            const std::string name = fmt::format("{}.{}", path, entry.key);
            if (entry.value.kind != Value::Kind::table) {
                auto problem = mistake(
                    "K0102",
                    fmt::format("`{}` must be a table, not {}", name, name_of(entry.value.kind)),
                    entry.key_span,
                    "not a kernel section");
                problem.help.push_back(fmt::format(
                    "each kernel has a table of its own, such as `[{}.my_kernel]`", path));
                sink_.report(std::move(problem));
                continue;
            }
            const Value* const backend = entry.value.get("backend");
            check_table({entry.value,
                         rule,
                         name,
                         backend == nullptr ? std::nullopt : model::parse_backend(backend->text)});
        }
    }

    /// Bounds for all kernels, and tables that are called as the kernels they are for.
    void check_budget(const Value& value, const TableRule& rule, const std::string& path) const {
        Value general = value;
        std::erase_if(general.entries,
                      [](const Entry& entry) { return entry.value.kind == Value::Kind::table; });
        check_table({general, rule, path});
        for (const auto& entry : value.entries) {
            if (entry.value.kind != Value::Kind::table)
                continue;
            check_table({entry.value, rule, fmt::format("{}.\"{}\"", path, entry.key)});
            if (const Entry* const size = entry.value.find("size"))
                sink_.report(mistake("K0736",
                                     "a kernel has no `size` in a budget",
                                     size->key_span,
                                     "bounds a whole library"));
        }
    }

    void check_size(const Value& value, const std::string& path) const {
        if (parse_size(value.text))
            return;
        auto problem = mistake("K0735",
                               fmt::format("`{}` is no size", path),
                               value.span,
                               "not a whole number with a unit");
        problem.help.emplace_back("write it as `20 MiB`; units are `B`, `KiB`, `MiB` and `GiB`");
        sink_.report(std::move(problem));
    }

    void check_kernel_dependency(const Value& value,
                                 const KeyRule& rule,
                                 const std::string& path) const {
        check_table({value, *rule.table, path});
        const bool version = value.find("version") != nullptr;
        const bool revision = value.find("revision") != nullptr;
        if (version == revision)
            sink_.report(mistake("K0111",
                                 "a kernel dependency takes either `version` or `revision`",
                                 value.span,
                                 version ? "has both" : "has neither"));
    }

    void check_stable_abi(const Value& value, const std::string& path) const {
        if (value.kind == Value::Kind::string)
            return check_stable_version(value, path);
        for (const auto& entry : value.entries) {
            Value backend;
            backend.kind = Value::Kind::string;
            backend.text = entry.key;
            backend.span = entry.key_span;
            if (auto problem = check_scalar(backend, Type::backend, path))
                sink_.report(std::move(*problem));
            const std::string key = fmt::format("{}.{}", path, entry.key);
            if (has_right_kind(entry.value, Type::version, edition_))
                check_stable_version(entry.value, key);
            else
                sink_.report(
                    wrong_kind(entry.value, Type::version, false, fmt::format("`{}`", key)));
        }
    }

    void check_stable_version(const Value& value, const std::string& path) const {
        if (auto problem = check_scalar(value, Type::version, path))
            return sink_.report(std::move(*problem));
        const auto version = model::Version::parse(value.text);
        if (version->to_string() == version->dotted())
            return;
        auto problem = mistake("K0117",
                               fmt::format("`{}` must have two components", path),
                               value.span,
                               fmt::format("is read as `{}`", version->to_string()));
        problem.notes.emplace_back(
            "trailing zeros are not kept, and the stable ABI is named by major and minor");
        sink_.report(std::move(problem));
    }

    void report_missing(const Place& place, const KeyRule& rule) const {
        const bool is_table = rule.type == Type::table;
        auto span = place.table.span;
        if (place.path.empty())
            span = {span.file, {1, 1}, {1, 1}};
        auto problem =
            mistake("K0101",
                    is_table ? fmt::format("missing table `[{}]`", place.path_of(rule.name))
                             : fmt::format("missing key `{}` in `{}`", rule.name, place.title()),
                    span,
                    place.path.empty() ? std::string() : fmt::format("has no `{}`", rule.name));
        if (!rule.example.empty())
            problem.help.push_back(fmt::format("add {}, for example `{} = {}`",
                                               describe(rule.type, rule.list),
                                               rule.name,
                                               rule.example));
        sink_.report(std::move(problem));
    }

    std::vector<std::string> known_keys(const Place& place) const {
        std::vector<std::string> names;
        for (const auto& rule : place.rule.keys)
            if (applies(rule, edition_, place.backend))
                names.emplace_back(rule.name);
        return names;
    }

    /// `rule` is the rule of the key if another edition or backend has it.
    /// Returns the key that was probably meant; empty if that cannot be told.
    std::string report_unknown(const Place& place,
                               const Entry& entry,
                               const KeyRule* rule,
                               const std::vector<std::string>& known) const {
        auto problem = mistake("K0104",
                               fmt::format("unknown key `{}` in `{}`", entry.key, place.title()),
                               entry.key_span,
                               place.backend ? fmt::format("not a key of a `{}` kernel",
                                                           model::to_string(*place.backend))
                                             : std::string("not a key of this table"));
        if (!place.path.empty() && place.table.span.begin.line != entry.key_span.begin.line)
            problem.related.push_back({place.table.span, "in this table"});
        const auto nearest = support::closest(entry.key, known);
        if (rule == nullptr && is_newer(place.rule, entry.key, edition_))
            problem.notes.push_back(fmt::format(
                "a later edition has `{}`; this file is read as edition {}", entry.key, edition_));
        else if (rule != nullptr && rule->since > edition_)
            problem.notes.push_back(
                fmt::format("`{}` exists since edition {}; this file is read as edition {}",
                            entry.key,
                            rule->since,
                            edition_));
        else if (rule != nullptr && rule->only)
            problem.notes.push_back(fmt::format(
                "`{}` is a key of `{}` kernels", entry.key, model::to_string(*rule->only)));
        else if (nearest)
            problem.help.push_back(fmt::format("did you mean `{}`?", *nearest));
        else
            problem.notes.push_back(fmt::format("known keys: `{}`", support::join(known, "`, `")));
        sink_.report(std::move(problem));
        return rule == nullptr ? nearest.value_or("") : std::string();
    }

    int edition_;
    diag::Sink& sink_;
};

} // namespace

void validate(const Value& root, const TableRule& schema, int edition, diag::Sink& sink) {
    Validator(edition, sink).check_table({root, schema, {}});
}

} // namespace kbuild::config
