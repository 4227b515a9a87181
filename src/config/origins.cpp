#include "kbuild/config/origins.hpp"

#include "edition.hpp"
#include "schema.hpp"
#include "toml_document.hpp"

#include "kbuild/config/load.hpp"
#include "kbuild/model/gfx_arch.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <array>

namespace kbuild::config {
namespace {

namespace fs = std::filesystem;

/// Drops what it gets: the files have been looked at before.
class Silence : public diag::Sink {
  public:
    void report(diag::Diagnostic /*diagnostic*/) override {}
};

std::string quoted(const std::string& text) {
    return "\"" + support::replace_all(support::replace_all(text, "\\", "\\\\"), "\"", "\\\"") +
           "\"";
}

/// A value as TOML on one line.
std::string text_of(const Value& value) {
    std::vector<std::string> parts;
    switch (value.kind) {
    case Value::Kind::string:
        return quoted(value.text);
    case Value::Kind::integer:
        return fmt::format("{}", value.integer);
    case Value::Kind::boolean:
        return value.boolean ? "true" : "false";
    case Value::Kind::array:
        for (const auto& item : value.items)
            parts.push_back(text_of(item));
        return "[" + support::join(parts, ", ") + "]";
    case Value::Kind::table:
        for (const auto& entry : value.entries)
            parts.push_back(entry.key + " = " + text_of(entry.value));
        return parts.empty() ? "{}" : "{ " + support::join(parts, ", ") + " }";
    default:
        return std::string(name_of(value.kind));
    }
}

/// What holds for a key that is not written.
std::string default_of(const KeyRule& rule) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kDefaults = {
        {{"pyext", "[\"py\", \"pyi\"]"},
         {"fetch", "false"},
         {"driver", "\"auto\""},
         {"host-cxx", "chosen by kbuild"},
         {"launcher", "\"auto\""},
         {"policy", "\"manylinux_2_28\""},
         {"torch", "the published versions"},
         {"rocm", "the published versions"}}};
    if (rule.name == "rocm-archs") {
        std::vector<std::string> names;
        for (const auto& arch : model::default_rocm_archs())
            names.push_back(quoted(arch.to_string()));
        return "[" + support::join(names, ", ") + "]";
    }
    for (const auto& [name, value] : kDefaults)
        if (rule.name == name && rule.type != Type::table)
            return std::string(value);
    return rule.list ? "[]" : "none";
}

class Lister {
  public:
    Lister(int edition, bool absent_tables) : edition_(edition), absent_tables_(absent_tables) {}

    void list(const Value* table, const TableRule& rule, const std::string& path) {
        std::optional<model::Backend> backend;
        if (const Value* const name = table == nullptr ? nullptr : table->get("backend"))
            backend = model::parse_backend(name->text);
        for (const auto& key : rule.keys) {
            if (!applies(key, edition_, backend))
                continue;
            const auto name =
                path.empty() ? std::string(key.name) : fmt::format("{}.{}", path, key.name);
            list_key(table == nullptr ? nullptr : table->get(key.name), key, name);
        }
    }

    std::vector<EffectiveSetting> take() { return std::move(settings_); }

  private:
    void list_key(const Value* value, const KeyRule& key, const std::string& name) {
        if (key.type == Type::kernels)
            return list_kernels(value, key);
        if (key.type == Type::budget)
            return list_budget(value, key, name);
        if (key.type == Type::table && !key.list) {
            if (value != nullptr || absent_tables_)
                list(value, *key.table, name);
            return;
        }
        if (value == nullptr)
            settings_.push_back({name, default_of(key), {}});
        else
            settings_.push_back({name, text_of(*value), value->span});
    }

    void list_kernels(const Value* kernels, const KeyRule& key) {
        if (kernels == nullptr)
            return;
        for (const auto& entry : kernels->entries)
            list(&entry.value, *key.table, fmt::format("kernel.{}", entry.key));
    }

    void list_budget(const Value* budget, const KeyRule& key, const std::string& name) {
        if (budget == nullptr)
            return;
        list(budget, *key.table, name);
        for (const auto& entry : budget->entries)
            if (entry.value.kind == Value::Kind::table)
                list(&entry.value, *key.table, fmt::format("{}.\"{}\"", name, entry.key));
    }

    int edition_;
    bool absent_tables_;
    std::vector<EffectiveSetting> settings_;
};

/// The table of a file that may have mistakes; none if there is nothing to be read.
std::optional<Value> table_in(const fs::path& path) {
    Silence silence;
    auto text = support::read_file(path);
    if (!text)
        return std::nullopt;
    return parse_toml(make_source(support::display_path(path), std::move(*text)), silence);
}

} // namespace

support::Result<std::vector<EffectiveSetting>> effective_settings(const fs::path& root,
                                                                  diag::Sink& sink) {
    KB_TRY_ASSIGN(reading, read_project(root, sink));
    std::vector<EffectiveSetting> settings;
    if (const auto table = table_in(root / "build.toml"); table && reading.config) {
        Lister lister(reading.config->edition, false);
        lister.list(&*table, build_schema(), {});
        settings = lister.take();
    }
    const auto table = table_in(root / "kbuild.toml");
    Lister lister(kCurrentEdition, true);
    lister.list(table ? &*table : nullptr, settings_schema(), {});
    for (auto& setting : lister.take())
        settings.push_back(std::move(setting));
    return settings;
}

} // namespace kbuild::config
