#include "commands.hpp"
#include "hub_session.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace kbuild::cli {
namespace {

using Json = nlohmann::ordered_json;
using support::Result;

Json to_json(const hub::WhoAmI& who, const HubSession& session) {
    Json orgs = Json::array();
    for (const auto& org : who.orgs)
        orgs.push_back({{"name", org.name}, {"role", org.role}});
    Json scopes = Json::array();
    for (const auto& scope : who.scopes)
        scopes.push_back({{"type", scope.entity_type},
                          {"name", scope.entity_name},
                          {"permissions", scope.permissions}});
    return {{"schema", 1},
            {"endpoint", session.endpoint()},
            {"name", who.name},
            {"type", who.type},
            {"orgs", std::move(orgs)},
            {"token",
             {{"name", who.token_name}, {"role", who.token_role}, {"scopes", std::move(scopes)}}}};
}

std::string or_unknown(const std::string& text) {
    return text.empty() ? "not said" : text;
}

std::string to_text(const hub::WhoAmI& who, const HubSession& session) {
    std::string text = fmt::format("endpoint  {}\n", session.endpoint());
    text += fmt::format("account   {}\n", who.name);
    text += fmt::format("token     {}, role {}, from {}\n",
                        who.token_name.empty() ? "without a name" : "`" + who.token_name + "`",
                        or_unknown(who.token_role),
                        session.token()->origin);
    for (const auto& scope : who.scopes)
        text += fmt::format("scope     {} {}: {}\n",
                            scope.entity_type,
                            scope.entity_name,
                            fmt::join(scope.permissions, ", "));
    for (const auto& org : who.orgs)
        text += fmt::format("member    {} ({})\n", org.name, or_unknown(org.role));
    return text;
}

Result<int> run_whoami(const Context& context, const std::string& format) {
    KB_TRY_ASSIGN(session, HubSession::open(context));
    KB_TRY(session.require_token());
    KB_TRY_ASSIGN(who, hub::whoami(session.connection()));
    context.data(format == "json"
                     ? to_json(who, session).dump(2, ' ', false, Json::error_handler_t::replace) +
                           "\n"
                     : to_text(who, session));
    return 0;
}

} // namespace

Command whoami_command() {
    return {"whoami", "whose token this is and what it may do", {}, [](Options& app) {
                const auto format = std::make_shared<std::string>("text");
                declare_format(app, *format, {"text", "json"});
                return [format](Context& context) { return run_whoami(context, *format); };
            }};
}

} // namespace kbuild::cli
