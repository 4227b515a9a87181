#include "commands.hpp"

#include "kbuild/diag/codes.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <memory>

namespace kbuild::cli {
namespace {

support::Result<int> explain(const Context& context, const std::string& code) {
    const auto page = diag::page(code);
    if (!page.empty()) {
        context.data(std::string(page));
        return 0;
    }
    std::vector<std::string> known;
    for (const auto& entry : diag::codes())
        known.emplace_back(entry.code);
    const auto nearest = support::closest(code, known);
    return support::fail(support::ErrorKind::usage,
                         fmt::format("there is no error code `{}`", code),
                         nearest ? fmt::format("did you mean `{}`?", *nearest) : std::string());
}

} // namespace

Command explain_command() {
    return {"explain", "show the page of an error code", {}, [](Options& app) {
                const auto code = std::make_shared<std::string>();
                app.value(*code,
                          {.names = "CODE", .help = "an error code such as K0104", .required = true});
                return [code](Context& context) { return explain(context, *code); };
            }};
}

} // namespace kbuild::cli
