#include "pass_request.hpp"

#include "kbuild/process/command.hpp"
#include "kbuild/sources/source_facts.hpp"
#include "kbuild/support/file_state.hpp"
#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace kbuild::build {
namespace {

using precompile::Pass;

/// Options after which a precompiled header may not be what the text would be.
bool forbids_precompiling(std::string_view option) {
    return support::starts_with_any(option,
                                    {"-include",
                                     "-imacros",
                                     "-U",
                                     "-undef",
                                     "-isystem",
                                     "-iquote",
                                     "-idirafter",
                                     "-iprefix",
                                     "-nostdinc",
                                     "-isysroot",
                                     "--sysroot",
                                     "-fmodules",
                                     "-Wp,",
                                     "-Xpreprocessor",
                                     "-x",
                                     "-Xarch_",
                                     "-M"});
}

/// Options that make clang write what it knows of the source beside the code: of precompiled
/// headers it knows less (`using` declarations, functions that nobody calls).
bool records_sources(std::string_view option) {
    return option != "-g0" &&
           support::starts_with_any(option, {"-g", "-fcoverage-", "--coverage", "-fprofile-"});
}

/// Options that do not reach the headers' meaning, or that each pass has its own of.
bool is_of_the_unit(const std::string& option) {
    // Maps to an absolute name are those of SDKs; the others hold the project's path.
    if (option.starts_with("-ffile-prefix-map="))
        return !option.substr(option.rfind('=') + 1).starts_with('/');
    return support::starts_with_any(option, {"-cuid=", "--offload-arch=", "-W", "-w"});
}

/// Headers that every project's own macros would come before are not worth a file of their own.
std::vector<std::string> up_to_last_sdk_header(std::vector<std::string> headers) {
    while (!headers.empty() && !sources::is_sdk_header(headers.back()))
        headers.pop_back();
    return headers;
}

/// Distributes a unit's options over the fields of a request.
class Distribution {
  public:
    explicit Distribution(PassRequest& to) : to_(to) {}

    void take(const std::string& option) {
        // The next word belongs to it, which would be taken for an option of its own.
        const bool takes_next = option == "-D" || option == "-I" || option == "-Xclang";
        if (takes_next || forbids_precompiling(option))
            to_.refusal = fmt::format("`{}` stands before its headers", option);
        else if (records_sources(option))
            to_.refusal = fmt::format("`{}` records less of precompiled headers", option);
        else if (option.starts_with("-D"))
            to_.left_out.push_back(option);
        else if (option.starts_with("-I"))
            to_.folders.push_back(option.substr(2));
        else if (!is_of_the_unit(option))
            to_.request.options.push_back(option);
    }

  private:
    PassRequest& to_;
};

/// These three name the unit or its library and stand in no header of an SDK; left out unless found
/// there after all.
bool names_the_unit(std::string_view definition) {
    return support::starts_with_any(definition,
                                    {"TORCH_EXTENSION_NAME=", "ROCM_KERNEL", "CPU_KERNEL"});
}

/// From C++20 on clang compares what precompiled functions do, and until 18 took one for the host
/// and one for the device of the same name for two definitions of it.
bool is_misread(unsigned clang, const std::vector<std::string>& options) {
    return clang != 0 && clang < 18 &&
           std::any_of(
               options.begin(),
               options.end(),
               [](const std::string& option) {
                   return support::starts_with_any(option, {"-std=c++2", "-std=gnu++2"});
               });
}

bool has_archs(const std::vector<std::string>& options) {
    return std::any_of(options.begin(), options.end(), [](const std::string& option) {
        return option.starts_with("--offload-arch=");
    });
}

void set_compiler(PassRequest& to, const generate::Tree& tree, bool is_hip) {
    to.request.environment = process::clean_environment();
    const bool driven = is_hip && tree.hip->driver;
    to.request.compiler = driven ? *tree.hip->driver : tree.cxx;
    if (driven)
        for (const auto& variable : tree.hip->driver_environment) {
            const auto equals = variable.find('=');
            to.request.environment[variable.substr(0, equals)] = variable.substr(equals + 1);
        }
    to.request.identity = tree.fingerprint + " " + support::identity_of_program(tree.cxx);
}

} // namespace

std::string name_of_macro(const std::string& definition) {
    return definition.substr(2, definition.find_first_of("=(") - 2);
}

std::optional<PassRequest> pass_request(const generate::Tree& tree,
                                        const generate::Library& library,
                                        const generate::Source& source,
                                        const generate::DevicePass* pass,
                                        const sources::LeadingHeaders& leading) {
    PassRequest result;
    result.request.headers = up_to_last_sdk_header(leading.headers);
    if (result.request.headers.empty())
        return std::nullopt;
    const bool is_hip = !source.device_passes.empty();
    result.request.pass = pass != nullptr ? Pass::hip_device : is_hip ? Pass::hip_host : Pass::cxx;
    set_compiler(result, tree, is_hip);
    const bool one_command = !is_hip && has_archs(source.options);
    if (one_command)
        result.refusal = "one command compiles both of its halves";
    result.macros = leading.macros;
    result.folders = library.includes;
    result.roots = library.system_includes;
    auto& options = result.request.options;
    if (is_hip) {
        options.emplace_back(generate::kHipDefinition);
        options.push_back("--offload-arch=" +
                          (pass != nullptr ? pass->arch : tree.hip->first_arch));
    }
    options.insert(
        options.end(), generate::kReleaseOptions.begin(), generate::kReleaseOptions.end());
    for (const auto& definition : library.definitions)
        (names_the_unit(definition) ? result.left_out : options).push_back("-D" + definition);
    for (const auto& folder : library.system_includes)
        options.insert(options.end(), {"-isystem", folder});
    Distribution distribution(result);
    for (const auto& option : library.options)
        distribution.take(option);
    for (const auto& option : pass != nullptr ? pass->options : source.options)
        distribution.take(option);
    if (is_hip && tree.hip->bundler && is_misread(tree.hip->bundler->clang, options))
        result.refusal = "clang before 18 misreads precompiled device functions from C++20 on";
    return result;
}

} // namespace kbuild::build
