#include "schema.hpp"

#include "rocm_archs.hpp"
#include "schema_rules.hpp"

#include <algorithm>
#include <array>

namespace kbuild::config {
namespace {

using model::Backend;
using rules::only;
using rules::optional;
using rules::optional_list;
using rules::required;
using rules::required_list;
using rules::sections;
using rules::since_5;
using rules::table;

constexpr std::array kKernelDependencyKeys = {
    required("repo-id", Type::text, "\"kernels-community/activation\""),
    optional("version", Type::unsigned_integer),
    optional("revision", Type::text)};
constexpr TableRule kKernelDependency = {"a kernel dependency", kKernelDependencyKeys};

constexpr KeyRule kKernelDepends = {.name = "kernel-depends",
                                    .type = Type::kernel_dependency,
                                    .list = true,
                                    .table = &kKernelDependency,
                                    .since = 5};
constexpr KeyRule kPythonDepends = optional_list("python-depends", Type::text);

constexpr std::array kHubKeys = {optional("repo-id", Type::text), optional("branch", Type::text)};
constexpr TableRule kHub = {"[general.hub]", kHubKeys};

constexpr std::array kCudaKeys = {optional("minver", Type::version),
                                  optional("maxver", Type::version),
                                  kKernelDepends,
                                  kPythonDepends};
constexpr TableRule kCuda = {"[general.cuda]", kCudaKeys};

constexpr std::array kDependsKeys = {kKernelDepends, kPythonDepends};
constexpr TableRule kNeuron = {"[general.neuron]", kDependsKeys};
constexpr TableRule kXpu = {"[general.xpu]", kDependsKeys};

constexpr std::array kTpuKeys = {kPythonDepends};
constexpr TableRule kTpu = {"[general.tpu]", kTpuKeys};

constexpr std::array kGeneralKeys = {required("name", Type::kernel_name, "\"my-kernel\""),
                                     required("version", Type::unsigned_integer, "1"),
                                     since_5(required("edition", Type::unsigned_integer, "5")),
                                     required("license", Type::text, "\"Apache-2.0\""),
                                     required_list("backends", Type::backend, "[\"rocm\"]"),
                                     optional("upstream", Type::git_url),
                                     optional("source", Type::git_url),
                                     kKernelDepends,
                                     kPythonDepends,
                                     table("hub", kHub),
                                     table("cuda", kCuda),
                                     table("neuron", kNeuron),
                                     since_5(table("tpu", kTpu)),
                                     table("xpu", kXpu)};
constexpr TableRule kGeneral = {"[general]", kGeneralKeys};

constexpr std::array kTorchKeys = {optional_list("src", Type::path),
                                   optional_list("include", Type::path),
                                   optional("minver", Type::version),
                                   optional("maxver", Type::version),
                                   optional_list("pyext", Type::text),
                                   optional("stable-abi", Type::stable_abi),
                                   optional_list("cxx-flags", Type::flag)};
constexpr TableRule kTorch = {"[torch]", kTorchKeys};

// Upstream reads these two in snake case and refuses its own documentation's spelling
// (upstream.md 2.3).
constexpr std::array kNoarchKeys = {optional_list("pyext", Type::text),
                                    optional_list("cuda_capabilities", Type::text),
                                    optional_list("rocm_archs", Type::text)};
constexpr TableRule kNoarch = {"[torch-noarch]", kNoarchKeys};

constexpr std::array kTvmFfiKeys = {
    required_list("src", Type::path, "[\"my_kernel/my_kernel.hip\"]"),
    optional_list("include", Type::path),
    optional_list("pyext", Type::text),
    optional_list("cxx-flags", Type::flag)};
constexpr TableRule kTvmFfi = {"[tvm-ffi]", kTvmFfiKeys};

constexpr std::array kKernelKeys = {
    required("backend", Type::kernel_backend, "\"rocm\""),
    required_list("depends", Type::dependency, "[\"torch\"]"),
    required_list("src", Type::path, "[\"my_kernel/my_kernel.hip\"]"),
    optional_list("include", Type::path),
    optional_list("cxx-flags", Type::flag),
    only(Backend::cuda, optional_list("cuda-capabilities", Type::text)),
    only(Backend::cuda, optional_list("cuda-flags", Type::flag)),
    only(Backend::cuda, optional("cuda-minver", Type::version)),
    only(Backend::rocm, optional_list("rocm-archs", Type::gfx_arch)),
    only(Backend::rocm, optional_list("hip-flags", Type::flag)),
    only(Backend::xpu, optional_list("sycl-flags", Type::flag))};
constexpr TableRule kKernel = {"a kernel section", kKernelKeys};

constexpr std::array kBuildKeys = {rules::required_table("general", kGeneral),
                                   table("torch", kTorch),
                                   table("torch-noarch", kNoarch),
                                   table("tvm-ffi", kTvmFfi),
                                   sections("kernel", kKernel)};
constexpr TableRule kBuild = {"build.toml", kBuildKeys};

constexpr std::array kMatrixKeys = {optional_list("torch", Type::version),
                                    optional_list("rocm", Type::version)};
constexpr TableRule kMatrix = {"[matrix]", kMatrixKeys};
constexpr std::array kPinKeys = {required("packages", Type::text, "\"hipcc libamdhip64*\""),
                                 required("pin", Type::text, "\"release a=experimental\""),
                                 required("priority", Type::unsigned_integer, "990")};
constexpr TableRule kPin = {"an entry of `toolchain.rocm.pins`", kPinKeys};
constexpr std::array kRocmSourceKeys = {
    required("version", Type::version, "\"7.3\""),
    optional("label", Type::text),
    optional("layout", Type::layout),
    optional("repository", Type::text),
    optional("keyring", Type::path),
    required_list("suites", Type::text, "[\"noble\"]"),
    optional_list("components", Type::text),
    KeyRule{.name = "pins", .type = Type::table, .list = true, .table = &kPin}};
constexpr TableRule kRocmSource = {"an entry of `toolchain.rocm`", kRocmSourceKeys};
constexpr std::array kTorchSourceKeys = {required("version", Type::version, "\"2.16\""),
                                         optional("index-url", Type::text)};
constexpr TableRule kTorchSource = {"an entry of `toolchain.torch`", kTorchSourceKeys};
constexpr std::array kToolchainKeys = {
    optional("fetch", Type::boolean),
    optional_list("extra", Type::text),
    optional("index-url", Type::text),
    KeyRule{.name = "rocm", .type = Type::table, .list = true, .table = &kRocmSource},
    KeyRule{.name = "torch", .type = Type::table, .list = true, .table = &kTorchSource}};
constexpr TableRule kToolchain = {"[toolchain]", kToolchainKeys};
constexpr std::array kHipifyKeys = {optional_list("keep", Type::path)};
constexpr TableRule kHipify = {"[hipify]", kHipifyKeys};
constexpr std::array kBuildSettingsKeys = {optional("driver", Type::driver),
                                           optional("host-cxx", Type::text),
                                           optional("policy", Type::policy)};
constexpr TableRule kBuildSettings = {"[build]", kBuildSettingsKeys};
constexpr std::array kCacheKeys = {optional("launcher", Type::text),
                                   optional("remote", Type::text)};
constexpr TableRule kCache = {"[cache]", kCacheKeys};
constexpr std::array kAllowKeys = {
    required("code", Type::text, "\"K0301\""),
    optional("path", Type::text),
    required("reason", Type::text, "\"generated by a script that lists it itself\"")};
constexpr TableRule kAllow = {"an entry of `check.allow`", kAllowKeys};
constexpr std::array kCheckKeys = {
    KeyRule{.name = "allow", .type = Type::table, .list = true, .table = &kAllow}};
constexpr TableRule kCheck = {"[check]", kCheckKeys};
constexpr std::array kBudgetKeys = {optional("vgprs", Type::unsigned_integer),
                                    optional("lds", Type::unsigned_integer),
                                    optional("scratch", Type::unsigned_integer),
                                    optional("spills", Type::unsigned_integer),
                                    optional("size", Type::size)};
constexpr TableRule kBudget = {"[budget]", kBudgetKeys};
constexpr std::array kTestKeys = {optional_list("emulate", Type::path),
                                  optional_list("programs", Type::path)};
constexpr TableRule kTest = {"[test]", kTestKeys};
/// The user's config.toml.
constexpr std::array kUserToolchainKeys = {
    optional("index-url", Type::text),
    KeyRule{.name = "rocm", .type = Type::table, .list = true, .table = &kRocmSource},
    KeyRule{.name = "torch", .type = Type::table, .list = true, .table = &kTorchSource}};
constexpr TableRule kUserToolchain = {"[toolchain]", kUserToolchainKeys};
constexpr std::array kUserKeys = {table("toolchain", kUserToolchain)};
constexpr TableRule kUser = {"config.toml", kUserKeys};

constexpr std::array kSettingsKeys = {
    table("matrix", kMatrix),
    table("toolchain", kToolchain),
    table("hipify", kHipify),
    table("build", kBuildSettings),
    table("cache", kCache),
    table("check", kCheck),
    table("test", kTest),
    KeyRule{.name = "budget", .type = Type::budget, .table = &kBudget}};
constexpr TableRule kSettings = {"kbuild.toml", kSettingsKeys};

std::string_view noun_of(Type type) {
    switch (type) {
    case Type::boolean:
        return "boolean";
    case Type::unsigned_integer:
        return "unsigned integer";
    case Type::version:
        return "version string";
    case Type::stable_abi:
        return "version string, or table of one per backend";
    case Type::table:
    case Type::kernel_dependency:
    case Type::kernels:
    case Type::budget:
        return "table";
    default:
        return "string";
    }
}

} // namespace

const KeyRule* TableRule::find(std::string_view name) const {
    const auto found = std::find_if(
        keys.begin(), keys.end(), [name](const KeyRule& rule) { return rule.name == name; });
    return found == keys.end() ? nullptr : &*found;
}

const TableRule& build_schema() {
    return kBuild;
}

const TableRule& settings_schema() {
    return kSettings;
}

const TableRule& user_schema() {
    return kUser;
}

bool applies(const KeyRule& rule, int edition, std::optional<model::Backend> backend) {
    return rule.since <= edition && (!rule.only || !backend || *rule.only == *backend);
}

std::vector<std::string> allowed_values(Type type) {
    std::vector<std::string> names;
    switch (type) {
    case Type::backend:
        for (const auto backend : model::kBackends)
            names.emplace_back(to_string(backend));
        return names;
    case Type::kernel_backend:
        return {"cpu", "cuda", "metal", "rocm", "xpu"};
    case Type::dependency:
        return {"torch",
                "cutlass_2_10",
                "cutlass_3_5",
                "cutlass_3_6",
                "cutlass_3_8",
                "cutlass_3_9",
                "cutlass_4_0",
                "cutlass_4_4",
                "cutlass_4_5",
                "sycl_tla",
                "metal-cpp"};
    case Type::language:
        return {"cuda", "cuda-hipify", "metal"};
    case Type::python_dependency:
        return {"einops", "nvidia-cutlass-dsl"};
    case Type::driver:
        return {"auto", "hipcc", "amdclang++", "clang++"};
    case Type::policy:
        return {"manylinux_2_28", "manylinux_2_34", "none"};
    case Type::layout:
        return {"debian", "amd"};
    case Type::gfx_arch:
        return known_archs();
    default:
        return names;
    }
}

std::string describe(Type type, bool list) {
    const std::string noun(noun_of(type));
    if (list)
        return "a list of " + noun + "s";
    return (noun.starts_with('u') ? "an " : "a ") + noun;
}

} // namespace kbuild::config
