#pragma once

#include "kbuild/support/result.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::emulator {

class Program;

/// One argument of a kernel, as the metadata says; hidden ones are filled by the runtime.
struct KernelArgument {
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
    std::string kind; ///< `by_value`, `global_buffer`, `hidden_block_count_x`, ...
    bool hidden() const { return kind.starts_with("hidden_"); }
};

/// A kernel of a loaded module: its 64-byte descriptor, taken apart, and its arguments.
struct Kernel {
    std::string name;
    std::uint64_t entry = 0;         ///< host address of its first instruction
    std::uint64_t descriptor = 0;    ///< host address
    std::uint32_t lds_bytes = 0;     ///< static part
    std::uint32_t scratch_bytes = 0; ///< per lane
    bool dynamic_stack = false;
    std::uint32_t kernarg_bytes = 0;
    std::uint32_t resource1 = 0; ///< COMPUTE_PGM_RSRC1
    std::uint32_t resource2 = 0;
    std::uint32_t resource3 = 0;
    std::uint16_t properties = 0;
    std::uint16_t preload = 0;        ///< kernel arguments that start in SGPRs
    std::uint32_t registers = 0;      ///< VGPRs and AGPRs per lane
    std::uint32_t arch_registers = 0; ///< of them VGPRs; AGPRs follow
    std::uint32_t max_work_group = 1024;
    std::vector<KernelArgument> arguments;
    std::shared_ptr<Program> program;
};

/// A `__device__` or `__constant__` variable.
struct Variable {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
};

/// A gfx942 code object in memory, relocated: device addresses are host addresses.
class Module {
  public:
    /// `bytes` is the ELF file. Other architectures and object versions are an Error.
    static support::Result<std::unique_ptr<Module>> load(std::string_view bytes,
                                                         const std::string& name);
    ~Module();
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;

    const Kernel* find_kernel(std::string_view name) const;
    const Variable* find_variable(std::string_view name) const;
    const std::map<std::string, Kernel, std::less<>>& kernels() const { return kernels_; }
    std::uint64_t address() const { return address_; }
    std::uint64_t bytes() const { return bytes_; }
    const std::string& name() const { return name_; }
    const std::string& file() const { return file_; } ///< the ELF file, for line tables

  private:
    Module() = default;
    std::string name_;
    std::string file_;
    std::uint64_t address_ = 0;
    std::uint64_t bytes_ = 0;
    std::map<std::string, Kernel, std::less<>> kernels_;
    std::map<std::string, Variable, std::less<>> variables_;
    friend struct ModuleLoader;
};

} // namespace kbuild::emulator
