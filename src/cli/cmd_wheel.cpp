#include "commands.hpp"

#include "kbuild/layout/variant_dir.hpp"
#include "kbuild/publish/wheel.hpp"
#include "kbuild/support/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace kbuild::cli {
namespace {

namespace fs = std::filesystem;
using support::ErrorKind;
using support::Result;

struct WheelOptions {
    std::string dir = ".";
    std::string out;
    std::vector<std::string> variants;
};

Result<int> run_wheel(const Context& context, const WheelOptions& options) {
    KB_TRY_ASSIGN(found, layout::discover(options.dir));
    const fs::path out =
        options.out.empty() ? fs::path(options.dir) / "dist" : fs::path(options.out);
    const auto& wanted = options.variants;
    std::size_t written = 0;
    for (const auto& variant : found) {
        const auto name = variant.variant.name();
        if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), name) == wanted.end())
            continue;
        KB_TRY_ASSIGN(path, publish::write_wheel(variant, out));
        context.data(support::display_path(path) + "\n");
        ++written;
    }
    if (written == 0)
        return support::fail(ErrorKind::nothing,
                             "no built variant has such a name",
                             "`kbuild verify` lists those that are there");
    return 0;
}

} // namespace

Command wheel_command() {
    return {"wheel", "write a Python wheel for each built variant", {}, [](Options& app) {
                const auto options = std::make_shared<WheelOptions>();
                app.value(
                    options->dir,
                    {.names = "DIR", .help = "a project, a folder of variants, or one variant"});
                app.value(
                    options->out,
                    {.names = "-o,--out", .help = "where to; default: DIR/dist", .type = "FOLDER"});
                app.values(options->variants,
                           {.names = "--variant", .help = "only these variants", .type = "NAME"});
                return [options](Context& context) { return run_wheel(context, *options); };
            }};
}

} // namespace kbuild::cli
