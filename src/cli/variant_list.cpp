#include "variant_list.hpp"

#include "kbuild/ui/table.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace kbuild::cli {
namespace {

using Json = nlohmann::ordered_json;
using matrix::Excluded;
using model::Variant;

std::string_view name_of(Excluded::Cause cause) {
    switch (cause) {
    case Excluded::Cause::filter:
        return "filter";
    case Excluded::Cause::bounds:
        return "bounds";
    case Excluded::Cause::support:
        return "support";
    case Excluded::Cause::sdk:
        return "sdk";
    }
    return "";
}

std::vector<Variant> listed(const matrix::BuildSet& set, bool with_missing) {
    std::vector<Variant> variants;
    for (const auto& selected : set.selected)
        variants.push_back(selected.variant);
    if (with_missing)
        for (const auto& excluded : set.excluded)
            if (excluded.cause == Excluded::Cause::sdk)
                variants.push_back(excluded.variant);
    std::sort(variants.begin(), variants.end(), [](const Variant& a, const Variant& b) {
        return a.name() < b.name();
    });
    return variants;
}

template <typename Sdk> Json sdk_object(const Sdk* sdk) {
    if (sdk == nullptr)
        return nullptr;
    return {{"version", sdk->short_version().dotted()},
            {"full_version", sdk->full_version},
            {"name", sdk->name},
            {"provider", sdk->provider},
            {"origin", to_string(sdk->origin)},
            {"root", sdk->root.string()}};
}

std::string rocm_of(const Variant& variant) {
    return variant.backend == model::Backend::rocm ? variant.backend_version.dotted() : "";
}

std::string dump(const Json& object, int indent) {
    return object.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace

std::string variant_names(const matrix::BuildSet& set, bool with_missing) {
    std::string text;
    for (const auto& variant : listed(set, with_missing))
        text += variant.name() + "\n";
    return text;
}

std::string variants_json(const matrix::BuildSet& set) {
    Json object;
    object["variants"] = Json::array();
    for (const auto& selected : set.selected)
        object["variants"].push_back({{"name", selected.variant.name()},
                                      {"backend", to_string(selected.variant.backend)},
                                      {"torch", sdk_object(selected.torch)},
                                      {"rocm", sdk_object(selected.rocm)},
                                      {"published", selected.published},
                                      {"remark", selected.remark}});
    object["excluded"] = Json::array();
    for (const auto& excluded : set.excluded)
        object["excluded"].push_back({{"name", excluded.variant.name()},
                                      {"cause", name_of(excluded.cause)},
                                      {"reason", excluded.reason},
                                      {"fix", excluded.fix},
                                      {"promised", excluded.promised}});
    object["notes"] = set.notes;
    object["published_pairs"] = set.published_pairs;
    object["published_selected"] = set.published_selected;
    return dump(object, 2);
}

std::string variants_github(const matrix::BuildSet& set, bool with_missing) {
    Json include = Json::array();
    for (const auto& variant : listed(set, with_missing))
        include.push_back(
            {{"variant", variant.name()},
             {"backend", to_string(variant.backend)},
             {"torch",
              variant.framework == Variant::Framework::noarch ? ""
                                                              : variant.framework_version.dotted()},
             {"rocm", rocm_of(variant)}});
    return dump({{"include", include}}, -1);
}

std::string exclusions_text(const matrix::BuildSet& set) {
    std::vector<std::vector<std::string>> rows = {{"left out", "why", "what to do"}};
    for (const auto& excluded : set.excluded)
        if (excluded.cause != Excluded::Cause::filter)
            rows.push_back({excluded.variant.name(), excluded.reason, excluded.fix});
    return rows.size() == 1 ? std::string() : ui::table(rows);
}

} // namespace kbuild::cli
