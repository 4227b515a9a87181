#include "decode_sources.hpp"

#include "decode_parts.hpp"

namespace kbuild::config {
namespace {

const std::vector<Value>& tables_of(const Value* table, std::string_view key) {
    static const std::vector<Value> none;
    const Value* const list = table == nullptr ? nullptr : table->get(key);
    return list == nullptr ? none : list->items;
}

std::vector<std::string> texts_of(const Value& table, std::string_view key) {
    std::vector<std::string> texts;
    for (const auto& text : strings_of(&table, key))
        texts.push_back(text.value);
    return texts;
}

model::RocmSource rocm_source_of(const Value& table) {
    model::RocmSource source;
    source.version = version_of(&table, "version").value_or(model::Version()).major_minor();
    source.label = text_of(&table, "label").value_or("");
    source.layout = text_of(&table, "layout").value_or("debian");
    source.repository = text_of(&table, "repository").value_or("");
    source.keyring = text_of(&table, "keyring").value_or("");
    source.suites = texts_of(table, "suites");
    source.components = texts_of(table, "components");
    for (const auto& pin : tables_of(&table, "pins"))
        source.pins.push_back({text_of(&pin, "packages").value_or(""),
                               text_of(&pin, "pin").value_or(""),
                               static_cast<int>(number_of(&pin, "priority").value_or(0))});
    return source;
}

} // namespace

model::SdkSources sources_of(const Value* toolchain) {
    model::SdkSources sources;
    sources.index_url = text_of(toolchain, "index-url").value_or("");
    for (const auto& table : tables_of(toolchain, "rocm"))
        sources.rocm.push_back(rocm_source_of(table));
    for (const auto& table : tables_of(toolchain, "torch"))
        sources.torch.push_back(
            {version_of(&table, "version").value_or(model::Version()).major_minor(),
             text_of(&table, "index-url").value_or("")});
    return sources;
}

} // namespace kbuild::config
