#include "kbuild/hub/answers.hpp"

#include "json_answer.hpp"

#include "kbuild/http/url.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/support/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace kbuild::hub {

using json::Value;
using support::Result;

namespace json {

tl::unexpected<support::Error> wrong(std::string_view what) {
    return support::fail(support::ErrorKind::network,
                         fmt::format("the server's answer is not what it should be: {}", what));
}

Result<Value> parse(std::string_view text) {
    auto value = Value::parse(text, nullptr, false);
    if (value.is_discarded()) {
        const auto start = support::trim(text.substr(0, 64));
        return wrong(start.starts_with('<') ? "it is HTML, not JSON" : "it is no JSON");
    }
    return value;
}

const Value& member(const Value& object, const char* key) {
    static const Value kNull;
    if (!object.is_object())
        return kNull;
    const auto found = object.find(key);
    return found == object.end() ? kNull : *found;
}

Result<std::string> text(const Value& object, const char* key) {
    const auto& value = member(object, key);
    if (!value.is_string() || value.get_ref<const std::string&>().size() > kMaxText)
        return wrong(fmt::format("`{}` is no text", key));
    return value.get<std::string>();
}

std::string text_or_empty(const Value& object, const char* key) {
    return text(object, key).value_or(std::string());
}

Result<std::uint64_t> number(const Value& object, const char* key) {
    constexpr std::uint64_t kMax = 1ULL << 53U;
    const auto& value = member(object, key);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kMax)
        return wrong(fmt::format("`{}` is no size", key));
    return value.get<std::uint64_t>();
}

Result<const Value*> array(const Value& object, const char* key) {
    const auto& value = member(object, key);
    if (!value.is_array())
        return wrong(fmt::format("`{}` is no list", key));
    return &value;
}

} // namespace json

namespace {

bool is_hex(std::string_view text, std::size_t digits) {
    return text.size() == digits &&
           text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool has_control(std::string_view text) {
    return std::any_of(text.begin(), text.end(), [](char letter) {
        return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f;
    });
}

Membership to_membership(const Value& org) {
    return {json::text_or_empty(org, "name"), json::text_or_empty(org, "roleInOrg")};
}

Scope to_scope(const Value& scoped) {
    const auto& entity = json::member(scoped, "entity");
    Scope scope{json::text_or_empty(entity, "type"), json::text_or_empty(entity, "name"), {}};
    const auto& permissions = json::member(scoped, "permissions");
    if (permissions.is_array())
        for (const auto& permission : permissions)
            if (permission.is_string())
                scope.permissions.push_back(permission.get<std::string>());
    return scope;
}

Result<std::vector<Ref>> to_refs(const Value& document, const char* key, bool required) {
    std::vector<Ref> refs;
    const auto& list = json::member(document, key);
    if (list.is_null() && !required)
        return refs;
    if (!list.is_array())
        return json::wrong(fmt::format("`{}` is no list", key));
    for (const auto& entry : list) {
        KB_TRY_ASSIGN(name, json::text(entry, "name"));
        KB_TRY_ASSIGN(commit, json::text(entry, "targetCommit"));
        if (!is_commit_id(commit) || has_control(name))
            return json::wrong("`targetCommit` is no commit");
        refs.push_back({std::move(name), std::move(commit)});
    }
    return refs;
}

Result<std::vector<std::string>> to_parts(const std::map<std::uint64_t, std::string>& numbered) {
    std::vector<std::string> parts;
    for (const auto& [number, url] : numbered) {
        if (number != parts.size() + 1)
            return json::wrong("the parts of an upload are not numbered from 1 on");
        parts.push_back(url);
    }
    return parts;
}

std::optional<std::uint64_t> to_number(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || code != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

/// `chunk_size` and part addresses travel among the headers.
Result<void> sort_headers(const Value& headers, LfsAction& action) {
    std::map<std::uint64_t, std::string> numbered;
    for (const auto& [name, value] : headers.items()) {
        const auto text = value.is_string()            ? value.get<std::string>()
                          : value.is_number_unsigned() ? std::to_string(value.get<std::uint64_t>())
                                                       : std::string();
        if (text.empty() || has_control(text) || has_control(name) || text.size() > json::kMaxText)
            return json::wrong("a header of an LFS action is no text");
        if (const auto number = to_number(name))
            numbered[*number] = text;
        else if (name == "chunk_size")
            action.chunk_size = to_number(text).value_or(0);
        else
            action.headers[name] = text;
    }
    KB_TRY_ASSIGN(parts, to_parts(numbered));
    for (const auto& url : parts)
        if (!http::origin_of(url))
            return json::wrong("the address of a part is no URL");
    action.parts = std::move(parts);
    if (action.parts.empty() != (action.chunk_size == 0))
        return json::wrong("`chunk_size` and parts do not belong together");
    return {};
}

Result<std::optional<LfsAction>> to_action(const Value& actions, const char* key) {
    const auto& value = json::member(actions, key);
    if (value.is_null())
        return std::nullopt;
    LfsAction action;
    KB_TRY_ASSIGN(href, json::text(value, "href"));
    if (!http::origin_of(href))
        return json::wrong("`href` is no URL");
    action.href = std::move(href);
    const auto& headers = json::member(value, "header");
    if (headers.is_object())
        KB_TRY(sort_headers(headers, action));
    return action;
}

Result<LfsObjectAnswer> to_object(const Value& entry) {
    LfsObjectAnswer object;
    KB_TRY_ASSIGN(oid, json::text(entry, "oid"));
    if (!is_sha256(oid))
        return json::wrong("`oid` is no SHA-256");
    object.oid = std::move(oid);
    if (const auto& error = json::member(entry, "error"); error.is_object()) {
        const auto code = json::number(error, "code");
        object.error_code = code ? static_cast<long>(std::min<std::uint64_t>(*code, 999)) : 500;
        object.error_message =
            error_text(error.dump(-1, ' ', false, Value::error_handler_t::replace));
        return object;
    }
    KB_TRY_ASSIGN(size, json::number(entry, "size"));
    object.size = size;
    const auto& actions = json::member(entry, "actions");
    KB_TRY_ASSIGN(upload, to_action(actions, "upload"));
    KB_TRY_ASSIGN(verify, to_action(actions, "verify"));
    KB_TRY_ASSIGN(download, to_action(actions, "download"));
    object.upload = std::move(upload);
    object.verify = std::move(verify);
    object.download = std::move(download);
    return object;
}

} // namespace

bool is_commit_id(std::string_view text) {
    return is_hex(text, 40);
}

bool is_sha256(std::string_view text) {
    return is_hex(text, 64);
}

bool is_safe_path(std::string_view path) {
    if (path.empty() || has_control(path) || path.find('\\') != std::string_view::npos)
        return false;
    const auto parts = support::split(path, '/');
    return std::none_of(parts.begin(), parts.end(), [](const std::string& part) {
        return part.empty() || part == "." || part == ".." || part == ".git";
    });
}

const Ref* Refs::branch(std::string_view name) const {
    const auto found = std::find_if(
        branches.begin(), branches.end(), [&](const Ref& ref) { return ref.name == name; });
    return found == branches.end() ? nullptr : &*found;
}

Result<WhoAmI> parse_whoami(std::string_view text) {
    KB_TRY_ASSIGN(document, json::parse(text));
    WhoAmI who;
    KB_TRY_ASSIGN(name, json::text(document, "name"));
    who.name = std::move(name);
    who.type = json::text_or_empty(document, "type");
    const auto& orgs = json::member(document, "orgs");
    if (orgs.is_array())
        for (const auto& org : orgs)
            who.orgs.push_back(to_membership(org));
    const auto& token = json::member(json::member(document, "auth"), "accessToken");
    who.token_role = json::text_or_empty(token, "role");
    who.token_name = json::text_or_empty(token, "displayName");
    const auto& scoped = json::member(json::member(token, "fineGrained"), "scoped");
    if (scoped.is_array())
        for (const auto& scope : scoped)
            who.scopes.push_back(to_scope(scope));
    return who;
}

Result<CreatedRepository> parse_created(std::string_view text) {
    KB_TRY_ASSIGN(document, json::parse(text));
    return CreatedRepository{json::text_or_empty(document, "url")};
}

Result<Refs> parse_refs(std::string_view text) {
    KB_TRY_ASSIGN(document, json::parse(text));
    Refs refs;
    KB_TRY_ASSIGN(branches, to_refs(document, "branches", true));
    KB_TRY_ASSIGN(tags, to_refs(document, "tags", false));
    KB_TRY_ASSIGN(pull_requests, to_refs(document, "pullRequests", false));
    refs.branches = std::move(branches);
    refs.tags = std::move(tags);
    refs.pull_requests = std::move(pull_requests);
    return refs;
}

Result<std::vector<TreeFile>> parse_tree(std::string_view text) {
    KB_TRY_ASSIGN(document, json::parse(text));
    if (!document.is_array())
        return json::wrong("a listing is no list");
    std::vector<TreeFile> files;
    for (const auto& entry : document) {
        KB_TRY_ASSIGN(type, json::text(entry, "type"));
        if (type != "file")
            continue;
        TreeFile file;
        KB_TRY_ASSIGN(path, json::text(entry, "path"));
        KB_TRY_ASSIGN(size, json::number(entry, "size"));
        KB_TRY_ASSIGN(oid, json::text(entry, "oid"));
        if (!is_safe_path(path))
            return json::wrong("a listing holds a path that leads out of the repository");
        if (!is_commit_id(oid))
            return json::wrong("`oid` is no git object");
        file.path = std::move(path);
        file.size = size;
        file.blob_id = std::move(oid);
        if (const auto& lfs = json::member(entry, "lfs"); lfs.is_object()) {
            KB_TRY_ASSIGN(sha256, json::text(lfs, "oid"));
            if (!is_sha256(sha256))
                return json::wrong("`lfs.oid` is no SHA-256");
            file.sha256 = std::move(sha256);
        }
        files.push_back(std::move(file));
    }
    return files;
}

Result<std::vector<PreuploadFile>> parse_preupload(std::string_view text) {
    KB_TRY_ASSIGN(document, json::parse(text));
    KB_TRY_ASSIGN(list, json::array(document, "files"));
    std::vector<PreuploadFile> files;
    for (const auto& entry : *list) {
        KB_TRY_ASSIGN(path, json::text(entry, "path"));
        KB_TRY_ASSIGN(mode, json::text(entry, "uploadMode"));
        if (mode != "lfs" && mode != "regular")
            return json::wrong("`uploadMode` is neither `lfs` nor `regular`");
        const auto& ignored = json::member(entry, "shouldIgnore");
        files.push_back(
            {std::move(path), mode == "lfs", ignored.is_boolean() && ignored.get<bool>()});
    }
    return files;
}

Result<CommitAnswer> parse_commit(std::string_view text) {
    KB_TRY_ASSIGN(document, json::parse(text));
    KB_TRY_ASSIGN(commit, json::text(document, "commitOid"));
    if (!is_commit_id(commit))
        return json::wrong("`commitOid` is no commit");
    return CommitAnswer{std::move(commit), json::text_or_empty(document, "pullRequestUrl")};
}

Result<LfsBatch> parse_lfs_batch(std::string_view text) {
    KB_TRY_ASSIGN(document, json::parse(text));
    KB_TRY_ASSIGN(list, json::array(document, "objects"));
    LfsBatch batch;
    batch.transfer = json::text_or_empty(document, "transfer");
    if (batch.transfer.empty())
        batch.transfer = "basic";
    for (const auto& entry : *list) {
        KB_TRY_ASSIGN(object, to_object(entry));
        batch.objects.push_back(std::move(object));
    }
    return batch;
}

std::string error_text(std::string_view body) {
    constexpr std::size_t kMaxShown = 300;
    const auto document = Value::parse(body, nullptr, false);
    std::string text;
    for (const auto* const key : {"error", "message", "Message"})
        if (text.empty() && !document.is_discarded())
            text = json::text_or_empty(document, key);
    std::replace_if(
        text.begin(), text.end(), [](char letter) { return has_control({&letter, 1}); }, ' ');
    if (support::find_invalid_utf8(text))
        return {};
    return text.size() > kMaxShown ? text.substr(0, kMaxShown) + "…" : text;
}

std::optional<std::uint64_t> pull_request_number(std::string_view url) {
    constexpr std::string_view kMark = "/discussions/";
    const auto at = url.rfind(kMark);
    return at == std::string_view::npos ? std::nullopt : to_number(url.substr(at + kMark.size()));
}

} // namespace kbuild::hub
