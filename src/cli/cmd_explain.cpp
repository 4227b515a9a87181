#include "commands.hpp"
#include "explain_variants.hpp"

#include "kbuild/diag/codes.hpp"
#include "kbuild/support/strings.hpp"
#include "kbuild/ui/table.hpp"

#include <fmt/format.h>

#include <memory>

namespace kbuild::cli {
namespace {

std::string code_list() {
    std::vector<std::vector<std::string>> rows = {{"code", "about"}};
    for (const auto& info : diag::codes())
        rows.push_back({std::string(info.code), std::string(info.title)});
    return ui::table(rows);
}

support::Result<int> explain(const Context& context, const std::string& word) {
    if (word.empty()) {
        context.data(code_list());
        return 0;
    }
    const auto code = support::replace_all(word, "k", "K");
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
                         fmt::format("there is no error code `{}`", word),
                         nearest ? fmt::format("did you mean `{}`?", *nearest)
                                 : std::string("`kbuild explain` lists all codes"));
}

} // namespace

Command explain_command() {
    return {"explain",
            "show the page of an error code, or which variant a machine would load and why",
            {},
            [](Options& app) {
                const auto word = std::make_shared<std::string>();
                const auto machine = std::make_shared<DescribedMachine>();
                const auto format = std::make_shared<std::string>("text");
                app.value(*word,
                          {.names = "CODE",
                           .help = "an error code such as K0104; without it: a list; with a "
                                   "machine: the folder of the variants"});
                machine->declare(app);
                declare_format(app, *format, {"text", "json"});
                return [=](Context& context) {
                    return machine->is_given() ? explain_variants(context, *machine, *word, *format)
                                               : explain(context, *word);
                };
            }};
}

} // namespace kbuild::cli
