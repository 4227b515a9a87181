#include "check_value.hpp"

#include "rocm_archs.hpp"

#include "kbuild/diag/finding.hpp"
#include "kbuild/model/gfx_arch.hpp"
#include "kbuild/model/git_url.hpp"
#include "kbuild/model/kernel_name.hpp"
#include "kbuild/model/version.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kbuild::config {
namespace {

using diag::Diagnostic;
using Kind = Value::Kind;

/// What others call a value that build.toml has, or what it was called in older editions.
std::optional<std::string_view> today_for(std::string_view word) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kNames = {
        {{"amd", "rocm"},
         {"cutlass_sycl", "sycl_tla"},
         {"hip", "rocm"},
         {"mps", "metal"},
         {"nvidia", "cuda"},
         {"sycl", "xpu"}}};
    for (const auto& [other, name] : kNames)
        if (other == word)
            return name;
    return std::nullopt;
}

std::optional<Diagnostic> check_choice(const Value& value, Type type, const std::string& path) {
    const auto allowed = allowed_values(type);
    if (std::find(allowed.begin(), allowed.end(), value.text) != allowed.end())
        return std::nullopt;
    auto problem = mistake("K0103",
                           fmt::format("`{}` is not a value that `{}` takes", value.text, path),
                           value.span,
                           "unknown value");
    const auto today = today_for(value.text);
    if (today && std::find(allowed.begin(), allowed.end(), *today) != allowed.end())
        problem.help.push_back(fmt::format("write `{}`", *today));
    else if (const auto nearest = support::closest(value.text, allowed))
        problem.help.push_back(fmt::format("did you mean `{}`?", *nearest));
    problem.notes.push_back(fmt::format("it takes `{}`", support::join(allowed, "`, `")));
    if (type == Type::kernel_backend && model::parse_backend(value.text))
        problem.notes.push_back(
            fmt::format("a package for `{}` is made of Python files only; such a backend is listed "
                        "in `general.backends` and has no kernel section",
                        value.text));
    return problem;
}

std::optional<Diagnostic> check_version(const Value& value, const std::string& path) {
    if (model::Version::parse(value.text))
        return std::nullopt;
    auto problem = mistake("K0105",
                           fmt::format("`{}` of `{}` is not a version", value.text, path),
                           value.span,
                           "not a version");
    problem.help.emplace_back("write numbers with dots between them, such as `\"2.13\"`");
    return problem;
}

std::optional<Diagnostic> check_kernel_name(const Value& value, const std::string& path) {
    if (model::KernelName::parse(value.text))
        return std::nullopt;
    auto problem = mistake("K0106",
                           fmt::format("`{}` is not a kernel name", value.text),
                           value.span,
                           fmt::format("not allowed for `{}`", path));
    problem.notes = {"a name is of lower-case letters, digits and dashes, two or more",
                     "it starts with a letter and does not end with a dash"};
    const auto repaired =
        support::replace_all(support::to_lower(support::trim(value.text)), "_", "-");
    if (model::KernelName::parse(repaired))
        problem.help.push_back(fmt::format("write `{}`", repaired));
    return problem;
}

std::optional<Diagnostic> check_git_url(const Value& value, const std::string& path) {
    if (model::is_git_url(value.text))
        return std::nullopt;
    auto problem = mistake("K0107",
                           fmt::format("`{}` of `{}` is not a git URL", value.text, path),
                           value.span,
                           "not a git URL");
    problem.notes.emplace_back("schemes are https, http, git, ssh, git+ssh, git+https and "
                               "git+http; `git@host:path` works too");
    return problem;
}

std::optional<Diagnostic> check_arch(const Value& value, const std::string& path) {
    const auto arch = model::GfxArch::parse(value.text);
    if (arch && (is_retired_arch(arch->processor()) || is_known_arch(arch->processor())))
        return std::nullopt;
    auto problem = mistake("K0112",
                           fmt::format("`{}` in `{}` is no AMD GPU architecture", value.text, path),
                           value.span,
                           "unknown architecture");
    const auto processor = value.text.substr(0, value.text.find(':'));
    if (is_known_arch(processor))
        problem.notes.emplace_back(
            "features are `:sramecc+`, `:sramecc-`, `:xnack+` and `:xnack-`");
    else if (const auto nearest = support::closest(processor, known_archs()))
        problem.help.push_back(fmt::format("did you mean `{}`?", *nearest));
    problem.notes.emplace_back("an MI300X is `gfx942`");
    return problem;
}

std::optional<Diagnostic> check_path(const Value& value, const std::string& path) {
    if (is_usable_path(value.text))
        return std::nullopt;
    return mistake("K0116",
                   fmt::format("`{}` has a path that cannot be used", path),
                   value.span,
                   value.text.empty() ? "empty" : "has control characters");
}

} // namespace

bool is_usable_path(std::string_view path) {
    const bool has_control = std::any_of(path.begin(), path.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    });
    return !path.empty() && !has_control;
}

bool has_right_kind(const Value& value, Type type, int edition) {
    switch (type) {
    case Type::boolean:
        return value.kind == Kind::boolean;
    case Type::unsigned_integer:
        return value.kind == Kind::integer && value.integer >= 0;
    case Type::stable_abi:
        return value.kind == Kind::string || (edition >= 5 && value.kind == Kind::table);
    case Type::kernel_dependency:
    case Type::table:
    case Type::kernels:
    case Type::budget:
        return value.kind == Kind::table;
    default:
        return value.kind == Kind::string;
    }
}

diag::Diagnostic wrong_kind(const Value& value, Type type, bool list, const std::string& subject) {
    const bool negative = type == Type::unsigned_integer && value.kind == Kind::integer;
    const std::string found = negative ? "a negative number" : std::string(name_of(value.kind));
    auto problem =
        mistake("K0102",
                fmt::format("{} must be {}, not {}", subject, describe(type, list), found),
                value.span,
                found);
    const bool number = value.kind == Kind::floating || value.kind == Kind::integer;
    if (number && (type == Type::version || type == Type::stable_abi)) {
        problem.help.emplace_back("put it in quotes, such as `\"2.10\"`");
        problem.notes.emplace_back("as a number 2.10 would be 2.1");
    }
    return problem;
}

std::optional<Diagnostic> check_scalar(const Value& value, Type type, const std::string& path) {
    switch (type) {
    case Type::backend:
    case Type::kernel_backend:
    case Type::dependency:
    case Type::language:
    case Type::python_dependency:
    case Type::driver:
    case Type::policy:
    case Type::layout:
        return check_choice(value, type, path);
    case Type::version:
        return check_version(value, path);
    case Type::kernel_name:
        return check_kernel_name(value, path);
    case Type::git_url:
        return check_git_url(value, path);
    case Type::gfx_arch:
        return check_arch(value, path);
    case Type::path:
        return check_path(value, path);
    default:
        return std::nullopt;
    }
}

} // namespace kbuild::config
