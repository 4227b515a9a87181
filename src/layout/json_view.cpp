#include "json_view.hpp"

#include "kbuild/support/utf8.hpp"

#include <fmt/format.h>

#include <set>

namespace kbuild::layout {

using support::ErrorKind;
using support::Result;

namespace {

constexpr std::size_t kMaxDepth = 64;

/// `[json.exception.parse_error.101] parse error at …` without the bracket, which says nothing to a
/// user.
std::string plain_words(std::string_view message) {
    const auto end = message.find("] ");
    return std::string(end == std::string_view::npos ? message : message.substr(end + 2));
}

/// Watches the parser: the first key that an object has twice, and values nested too deeply.
class Watcher {
  public:
    bool operator()(int depth, nlohmann::json::parse_event_t event, const nlohmann::json& value) {
        if (static_cast<std::size_t>(depth) >= kMaxDepth)
            problem_ = fmt::format("values are nested more than {} deep", kMaxDepth);
        if (event == nlohmann::json::parse_event_t::object_start)
            keys_.emplace_back();
        if (event == nlohmann::json::parse_event_t::object_end)
            keys_.pop_back();
        if (event == nlohmann::json::parse_event_t::key && !keys_.back().insert(value).second &&
            problem_.empty())
            problem_ = fmt::format("the key `{}` is there twice", value.get<std::string>());
        return true;
    }
    const std::string& problem() const { return problem_; }

  private:
    std::vector<std::set<std::string>> keys_;
    std::string problem_;
};

} // namespace

Result<nlohmann::json> parse_json(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF"))
        return support::fail(ErrorKind::content,
                             "starts with a byte order mark, which loaders refuse");
    if (const auto bad = support::find_invalid_utf8(text))
        return support::fail(
            ErrorKind::content,
            fmt::format("holds bytes that are not UTF-8, the first at offset {}", *bad));
    Watcher watcher;
    try {
        nlohmann::json document = nlohmann::json::parse(text, std::ref(watcher));
        if (!watcher.problem().empty())
            return support::fail(ErrorKind::content, watcher.problem());
        return document;
    } catch (const nlohmann::json::exception& error) {
        return support::fail(ErrorKind::content, plain_words(error.what()));
    }
}

tl::unexpected<support::Error> JsonView::wrong(std::string_view complaint) const {
    return support::fail(ErrorKind::content,
                         place_.empty() ? fmt::format("the document {}", complaint)
                                        : fmt::format("`{}` {}", place_, complaint));
}

bool JsonView::contains(std::string_view key) const {
    return value_->is_object() && value_->contains(std::string(key));
}

bool JsonView::has(std::string_view key) const {
    return contains(key) && !(*value_)[std::string(key)].is_null();
}

Result<JsonView> JsonView::at(std::string_view key) const {
    KB_TRY(object());
    const std::string place = place_.empty() ? std::string(key) : fmt::format("{}.{}", place_, key);
    if (!contains(key))
        return support::fail(ErrorKind::content, fmt::format("the key `{}` is missing", place));
    return JsonView((*value_)[std::string(key)], place);
}

Result<std::string> JsonView::text() const {
    if (!value_->is_string())
        return wrong(fmt::format("is {}, not a string", value_->type_name()));
    return value_->get<std::string>();
}

Result<std::uint64_t> JsonView::number() const {
    if (!value_->is_number_unsigned())
        return wrong(fmt::format("is {}, not a whole number from 0 on", value_->dump()));
    return value_->get<std::uint64_t>();
}

Result<bool> JsonView::flag() const {
    if (!value_->is_boolean())
        return wrong(fmt::format("is {}, not true or false", value_->type_name()));
    return value_->get<bool>();
}

Result<void> JsonView::object() const {
    if (!value_->is_object())
        return wrong(fmt::format("is {}, not an object", value_->type_name()));
    return {};
}

Result<std::vector<JsonView>> JsonView::items() const {
    if (!value_->is_array())
        return wrong(fmt::format("is {}, not a list", value_->type_name()));
    std::vector<JsonView> views;
    for (std::size_t i = 0; i < value_->size(); ++i)
        views.emplace_back((*value_)[i], fmt::format("{}[{}]", place_, i));
    return views;
}

Result<std::vector<std::string>> JsonView::texts() const {
    KB_TRY_ASSIGN(views, items());
    std::vector<std::string> list;
    for (const auto& view : views) {
        KB_TRY_ASSIGN(item, view.text());
        list.push_back(std::move(item));
    }
    return list;
}

} // namespace kbuild::layout
