#include "schema.hpp"
#include "schema_rules.hpp"

#include <array>
#include <stdexcept>

/// Editions 1 to 3 of build.toml (upstream.md 2.4), as their last readers took them.
namespace kbuild::config {
namespace {

using model::Backend;
using rules::only;
using rules::optional;
using rules::optional_list;
using rules::required;
using rules::required_list;
using rules::required_table;
using rules::sections;
using rules::table;

constexpr std::string_view kNameExample = "\"my-kernel\"";
constexpr std::string_view kSourceExample = "[\"my_kernel/my_kernel.hip\"]";
constexpr std::string_view kDependsExample = "[\"torch\"]";

constexpr std::array kHubKeys = {optional("repo-id", Type::text), optional("branch", Type::text)};
constexpr TableRule kHub = {"[general.hub]", kHubKeys};

// Kernel sections of editions 2 and 3 are those of today.
constexpr std::array kKernelKeys = {
    required("backend", Type::kernel_backend, "\"rocm\""),
    required_list("depends", Type::dependency, kDependsExample),
    required_list("src", Type::path, kSourceExample),
    optional_list("include", Type::path),
    optional_list("cxx-flags", Type::flag),
    only(Backend::cuda, optional_list("cuda-capabilities", Type::text)),
    only(Backend::cuda, optional_list("cuda-flags", Type::flag)),
    only(Backend::cuda, optional("cuda-minver", Type::version)),
    only(Backend::rocm, optional_list("rocm-archs", Type::gfx_arch)),
    only(Backend::rocm, optional_list("hip-flags", Type::flag)),
    only(Backend::xpu, optional_list("sycl-flags", Type::flag))};
constexpr TableRule kKernel = {"a kernel section", kKernelKeys};

constexpr std::array kTorchKeys = {optional_list("src", Type::path),
                                   optional_list("include", Type::path),
                                   optional("minver", Type::version),
                                   optional("maxver", Type::version),
                                   optional_list("pyext", Type::text)};
constexpr TableRule kTorch = {"[torch]", kTorchKeys};

// Edition 3.

constexpr std::array kCudaKeys = {optional("minver", Type::version),
                                  optional("maxver", Type::version),
                                  optional_list("python-depends", Type::text)};
constexpr TableRule kCuda = {"[general.cuda]", kCudaKeys};
constexpr std::array kPythonKeys = {optional_list("python-depends", Type::text)};
constexpr TableRule kNeuron = {"[general.neuron]", kPythonKeys};
constexpr TableRule kXpu = {"[general.xpu]", kPythonKeys};

constexpr std::array kGeneral3Keys = {required("name", Type::kernel_name, kNameExample),
                                      optional("version", Type::unsigned_integer),
                                      optional("license", Type::text),
                                      required_list("backends", Type::backend, "[\"rocm\"]"),
                                      optional("upstream", Type::git_url),
                                      optional_list("python-depends", Type::text),
                                      table("hub", kHub),
                                      table("cuda", kCuda),
                                      table("neuron", kNeuron),
                                      table("xpu", kXpu)};
constexpr TableRule kGeneral3 = {"[general]", kGeneral3Keys};

constexpr std::array kTvmFfiKeys = {required_list("src", Type::path, kSourceExample),
                                    optional_list("include", Type::path),
                                    optional_list("pyext", Type::text)};
constexpr TableRule kTvmFfi = {"[tvm-ffi]", kTvmFfiKeys};

constexpr std::array kBuild3Keys = {required_table("general", kGeneral3),
                                    table("torch", kTorch),
                                    table("tvm-ffi", kTvmFfi),
                                    sections("kernel", kKernel)};
constexpr TableRule kBuild3 = {"build.toml", kBuild3Keys};

// Edition 2.

constexpr std::array kGeneral2Keys = {required("name", Type::kernel_name, kNameExample),
                                      optional("universal", Type::boolean),
                                      optional("cuda-minver", Type::version),
                                      optional("cuda-maxver", Type::version),
                                      optional_list("python-depends", Type::python_dependency),
                                      table("hub", kHub)};
constexpr TableRule kGeneral2 = {"[general]", kGeneral2Keys};

constexpr std::array kBuild2Keys = {
    required_table("general", kGeneral2), table("torch", kTorch), sections("kernel", kKernel)};
constexpr TableRule kBuild2 = {"build.toml", kBuild2Keys};

// Edition 1.

constexpr std::array kGeneral1Keys = {required("name", Type::kernel_name, kNameExample)};
constexpr TableRule kGeneral1 = {"[general]", kGeneral1Keys};

constexpr std::array kTorch1Keys = {optional_list("src", Type::path),
                                    optional_list("include", Type::path),
                                    optional_list("pyext", Type::text),
                                    optional("universal", Type::boolean)};
constexpr TableRule kTorch1 = {"[torch]", kTorch1Keys};

constexpr std::array kKernel1Keys = {required_list("depends", Type::dependency, kDependsExample),
                                     required_list("src", Type::path, kSourceExample),
                                     optional("language", Type::language),
                                     optional_list("include", Type::path),
                                     optional_list("cuda-capabilities", Type::text),
                                     optional_list("rocm-archs", Type::gfx_arch)};
constexpr TableRule kKernel1 = {"a kernel section", kKernel1Keys};

constexpr std::array kBuild1Keys = {
    required_table("general", kGeneral1), table("torch", kTorch1), sections("kernel", kKernel1)};
constexpr TableRule kBuild1 = {"build.toml", kBuild1Keys};

} // namespace

const TableRule& older_schema(int edition) {
    switch (edition) {
    case 1:
        return kBuild1;
    case 2:
        return kBuild2;
    case 3:
        return kBuild3;
    default:
        throw std::logic_error("only editions 1 to 3 have a schema of their own");
    }
}

const TableRule& build_schema_of(int edition) {
    return edition >= 4 ? build_schema() : older_schema(edition);
}

} // namespace kbuild::config
