#include "check_value.hpp"

#include "kbuild/config/load.hpp"
#include "kbuild/diag/finding.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <map>

namespace kbuild::config {
namespace {

namespace fs = std::filesystem;
using Listed = Spanned<std::string>;

bool is_below(const fs::path& path, const fs::path& root) {
    const auto relative = path.lexically_relative(root);
    return !relative.empty() && *relative.begin() != "..";
}

/// Looks at the files of one project; remembers where folders really are, because sources share few
/// of them.
class FileChecker {
  public:
    FileChecker(const fs::path& root, diag::Sink& sink) : root_(root), sink_(sink) {
        std::error_code code;
        real_root_ = fs::canonical(root, code);
    }

    void check_sources(const Strings& sources, const std::string& key) {
        std::map<fs::path, diag::SourceSpan> seen;
        for (const auto& source : sources) {
            if (!is_usable_path(source.value)) // K0116 says so
                continue;
            const auto path = fs::path(source.value).lexically_normal();
            const auto [first, is_new] = seen.emplace(path, source.span);
            if (is_new)
                check_source(source);
            else
                report_twice(source, key, first->second);
        }
    }

    void check_folders(const Strings& folders) {
        for (const auto& folder : folders) {
            if (!is_usable_path(folder.value) || reports_outside(folder))
                continue;
            const auto path = root_ / folder.value;
            if (support::is_folder(path))
                continue;
            const bool exists = support::path_exists(path);
            auto problem = mistake("K0905",
                                   exists ? fmt::format("`{}` is not a folder", folder.value)
                                          : fmt::format("there is no folder `{}`", folder.value),
                                   folder.span,
                                   "listed as an include folder");
            suggest_neighbour(folder, problem);
            sink_.report(std::move(problem));
        }
    }

  private:
    void check_source(const Listed& source) {
        if (reports_outside(source))
            return;
        // Never opened here: a FIFO would block.
        std::error_code code;
        const auto type = fs::status(root_ / source.value, code).type();
        if (type == fs::file_type::regular)
            return;
        if (type == fs::file_type::not_found && !is_link(root_ / source.value))
            return report_missing(source);
        sink_.report(mistake("K0902",
                             fmt::format("`{}` is not a regular file", source.value),
                             source.span,
                             std::string(name_of(type))));
    }

    static bool is_link(const fs::path& path) {
        std::error_code code;
        return fs::is_symlink(path, code);
    }

    static std::string_view name_of(fs::file_type type) {
        switch (type) {
        case fs::file_type::directory:
            return "a folder";
        case fs::file_type::fifo:
            return "a FIFO";
        case fs::file_type::socket:
            return "a socket";
        case fs::file_type::block:
        case fs::file_type::character:
            return "a device";
        case fs::file_type::not_found:
            return "a link that leads nowhere";
        default:
            return "cannot be looked at";
        }
    }

    bool reports_outside(const Listed& listed) {
        const fs::path path(listed.value);
        std::string_view reason;
        if (path.is_absolute())
            reason = "an absolute path";
        else if (!is_below((root_ / path).lexically_normal(), root_.lexically_normal()))
            reason = "leads out of the project";
        else if (!is_below(real_path(root_ / path), real_root_))
            reason = "a link that leads out of the project";
        if (reason.empty())
            return false;
        auto problem = mistake("K0903",
                               fmt::format("`{}` is not inside the project", listed.value),
                               listed.span,
                               std::string(reason));
        problem.notes.emplace_back(
            "what is built must be in the folder of build.toml, or nobody can build it again");
        problem.help.emplace_back("copy it into the project and list the copy");
        sink_.report(std::move(problem));
        return true;
    }

    /// Where a path really is, links followed as far as it exists.
    fs::path real_path(const fs::path& path) {
        const auto parent = path.parent_path();
        auto found = real_folders_.find(parent);
        std::error_code code;
        if (found == real_folders_.end())
            found = real_folders_.emplace(parent, fs::weakly_canonical(parent, code)).first;
        if (is_link(path)) {
            const auto real = fs::weakly_canonical(path, code);
            return code ? found->second : real;
        }
        return (found->second / path.filename()).lexically_normal();
    }

    void report_missing(const Listed& source) {
        auto problem = mistake("K0901",
                               fmt::format("there is no file `{}`", source.value),
                               source.span,
                               "listed here");
        suggest_neighbour(source, problem);
        sink_.report(std::move(problem));
    }

    /// A name in the same folder that was probably meant.
    void suggest_neighbour(const Listed& listed, diag::Diagnostic& problem) const {
        const auto path = fs::path(listed.value).lexically_normal();
        const auto folder = path.parent_path();
        if (!support::is_folder(root_ / folder)) {
            problem.notes.push_back(fmt::format("there is no folder `{}` either", folder.string()));
            return;
        }
        const auto names = support::list_names(root_ / folder);
        const auto nearest =
            support::closest(path.filename().string(), names.value_or(std::vector<std::string>()));
        if (nearest)
            problem.help.push_back(
                fmt::format("did you mean `{}`?", (folder / *nearest).generic_string()));
    }

    void report_twice(const Listed& source, const std::string& key, const diag::SourceSpan& first) {
        auto problem = warning("K0904",
                               fmt::format("`{}` is listed twice in `{}`", source.value, key),
                               source.span,
                               "again here");
        problem.related.push_back({first, "first listed here"});
        problem.help.emplace_back("remove one of the two");
        sink_.report(std::move(problem));
    }

    fs::path root_;
    fs::path real_root_;
    std::map<fs::path, fs::path> real_folders_;
    diag::Sink& sink_;
};

std::string framework_name(FrameworkKind kind) {
    return kind == FrameworkKind::tvm_ffi ? "tvm-ffi" : "torch";
}

} // namespace

void check_listed_files(const BuildConfig& config,
                        const std::filesystem::path& root,
                        diag::Sink& sink) {
    FileChecker checker(root, sink);
    checker.check_sources(config.framework.src, framework_name(config.framework.kind) + ".src");
    checker.check_folders(config.framework.include.value_or(Strings()));
    for (const auto& kernel : config.kernels) {
        if (!config.has_backend(kernel.backend))
            continue;
        checker.check_sources(kernel.src, fmt::format("kernel.{}.src", kernel.name));
        checker.check_folders(kernel.include);
    }
}

} // namespace kbuild::config
