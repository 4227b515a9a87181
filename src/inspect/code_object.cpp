#include "byte_reader.hpp"
#include "instructions.hpp"

#include "kbuild/inspect/device_code.hpp"
#include "kbuild/support/strings.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace kbuild::inspect {
namespace {

using nlohmann::json;
using support::ErrorKind;
using support::Result;

constexpr std::uint32_t kMetadataNote = 32;  // NT_AMDGPU_METADATA
constexpr std::uint8_t kOsAbiAmdgpuHsa = 64; // ELFOSABI_AMDGPU_HSA
constexpr std::size_t kMaxDepth = 16;        // LLVM's own metadata is 5 deep

tl::unexpected<support::Error> damaged_object(std::string what) {
    return support::fail(ErrorKind::content, std::move(what));
}

/// Looks through MessagePack without keeping anything; false once it is nested too deeply, because
/// nlohmann's reader goes down by recursion.
class DepthCheck : public nlohmann::json_sax<json> {
  public:
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool key(string_t&) override { return true; }
    bool start_object(std::size_t) override { return ++depth_ <= kMaxDepth; }
    bool start_array(std::size_t) override { return ++depth_ <= kMaxDepth; }
    bool end_object() override { return leave(); }
    bool end_array() override { return leave(); }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
        return false;
    }

  private:
    bool leave() {
        --depth_;
        return true;
    }
    std::size_t depth_ = 0;
};

Result<json> parse_message_pack(std::string_view bytes) {
    DepthCheck check;
    if (!json::sax_parse(bytes.begin(), bytes.end(), &check, json::input_format_t::msgpack))
        return damaged_object("its metadata note is no MessagePack");
    auto document = json::from_msgpack(bytes.begin(), bytes.end(), true, false);
    if (!document.is_object())
        return damaged_object("its metadata note is no MessagePack map");
    return document;
}

constexpr std::uint64_t round_up_to_4(std::uint64_t value) {
    return (value + 3) & ~std::uint64_t{3};
}

/// The metadata in the notes of one section; empty if it is not there.
std::string_view find_metadata(std::string_view notes) {
    ByteReader in(notes);
    while (in.left() > 0) {
        const auto name_size = in.u32();
        const auto size = in.u32();
        const auto type = in.u32();
        if (!type)
            return {};
        const auto name = in.take(round_up_to_4(*name_size));
        const auto content = in.take(*size);
        if (!name || !content)
            return {};
        if (*type == kMetadataNote && name->starts_with("AMDGPU"))
            return *content;
        in.take(round_up_to_4(*size) - *size);
    }
    return {};
}

Result<json> read_metadata(std::string_view bytes, const elf::ElfFile& file) {
    for (const auto& section : file.sections) {
        if (!section.name.starts_with(".note") || !section.in_file || section.offset > bytes.size())
            continue;
        const auto notes = bytes.substr(static_cast<std::size_t>(section.offset),
                                        static_cast<std::size_t>(section.size));
        if (const auto metadata = find_metadata(notes); !metadata.empty())
            return parse_message_pack(metadata);
    }
    return damaged_object("it has no AMDGPU metadata note");
}

/// Reads the fields of one kernel; the first misfit is kept.
class KernelFields {
  public:
    explicit KernelFields(const json& kernel) : kernel_(kernel) {}

    std::string text(const char* key) {
        const auto found = kernel_.find(key);
        if (found != kernel_.end() && found->is_string())
            return found->get<std::string>();
        complain(key);
        return {};
    }

    std::uint32_t number(const char* key) {
        const auto found = kernel_.find(key);
        if (found == kernel_.end() || !found->is_number_unsigned() ||
            found->get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max()) {
            complain(key);
            return 0;
        }
        return found->get<std::uint32_t>();
    }

    std::uint32_t number_or_zero(const char* key) {
        return kernel_.contains(key) ? number(key) : 0;
    }

    bool flag(const char* key) const {
        const auto found = kernel_.find(key);
        return found != kernel_.end() && found->is_boolean() && found->get<bool>();
    }

    const std::string& problem() const { return problem_; }

  private:
    void complain(const char* key) {
        if (problem_.empty())
            problem_ =
                fmt::format("in its metadata note `{}` of a kernel is missing or malformed", key);
    }

    const json& kernel_;
    std::string problem_;
};

/// A kernel without `.args` takes none.
Result<std::vector<KernelArgument>> read_arguments(const json& kernel) {
    std::vector<KernelArgument> arguments;
    const auto list = kernel.find(".args");
    if (list == kernel.end())
        return arguments;
    if (!list->is_array())
        return damaged_object("`.args` of a kernel in its metadata note is no list");
    for (const auto& item : *list) {
        if (!item.is_object())
            return damaged_object("an argument in its metadata note is no map");
        KernelFields fields(item);
        KernelArgument argument{
            fields.number(".offset"), fields.number(".size"), fields.text(".value_kind")};
        if (!fields.problem().empty())
            return damaged_object(fields.problem());
        arguments.push_back(std::move(argument));
    }
    return arguments;
}

Result<KernelResources> read_kernel(const json& kernel) {
    if (!kernel.is_object())
        return damaged_object("a kernel in its metadata note is no map");
    KernelFields fields(kernel);
    KernelResources resources;
    resources.name = fields.text(".name");
    resources.symbol = fields.text(".symbol");
    resources.vgprs = fields.number(".vgpr_count");
    resources.agprs = fields.number_or_zero(".agpr_count");
    resources.sgprs = fields.number(".sgpr_count");
    resources.vgpr_spills = fields.number_or_zero(".vgpr_spill_count");
    resources.sgpr_spills = fields.number_or_zero(".sgpr_spill_count");
    resources.lds_bytes = fields.number(".group_segment_fixed_size");
    resources.scratch_bytes = fields.number(".private_segment_fixed_size");
    resources.kernarg_bytes = fields.number(".kernarg_segment_size");
    resources.max_work_group_size = fields.number(".max_flat_workgroup_size");
    resources.wave_size = fields.number(".wavefront_size");
    resources.dynamic_stack = fields.flag(".uses_dynamic_stack");
    if (!fields.problem().empty())
        return damaged_object(fields.problem());
    KB_TRY_ASSIGN(arguments, read_arguments(kernel));
    resources.arguments = std::move(arguments);
    return resources;
}

/// The symbols are sorted by name.
const elf::Symbol* find_symbol(const elf::ElfFile& file, const std::string& name) {
    const auto found = std::lower_bound(
        file.symbols.begin(),
        file.symbols.end(),
        name,
        [](const elf::Symbol& symbol, const std::string& wanted) { return symbol.name < wanted; });
    if (found == file.symbols.end() || found->name != name || !found->defined)
        return nullptr;
    return &*found;
}

/// The bytes that a function symbol covers; empty where no section of the file has them all.
std::string_view
code_of(std::string_view bytes, const elf::ElfFile& file, const elf::Symbol& function) {
    for (const auto& section : file.sections) {
        if (!section.in_file || section.address == 0 || function.value < section.address)
            continue;
        const auto start = function.value - section.address;
        if (start >= section.size || function.size > section.size - start)
            continue;
        if (section.offset > bytes.size() || section.size > bytes.size() - section.offset)
            continue;
        return bytes.substr(static_cast<std::size_t>(section.offset + start),
                            static_cast<std::size_t>(function.size));
    }
    return {};
}

/// Adds what a kernel's machine code tells.
void read_code(std::string_view bytes,
               const elf::ElfFile& file,
               const model::GfxArch& arch,
               KernelResources& kernel) {
    const auto* const function = find_symbol(file, kernel.name);
    if (function == nullptr)
        return;
    const auto code = code_of(bytes, file, *function);
    kernel.code_bytes = code.size();
    kernel.instructions = count_instructions(code, arch);
    kernel.empty = ends_at_once(code);
}

Result<std::vector<KernelResources>> read_kernels(const json& metadata, const elf::ElfFile& file) {
    std::vector<KernelResources> kernels;
    const auto list = metadata.find("amdhsa.kernels");
    if (list == metadata.end())
        return kernels;
    if (!list->is_array())
        return damaged_object("`amdhsa.kernels` of its metadata note is no list");
    for (const auto& item : *list) {
        KB_TRY_ASSIGN(kernel, read_kernel(item));
        if (find_symbol(file, kernel.symbol) == nullptr)
            return damaged_object(
                fmt::format("the kernel `{}` of its metadata note has no descriptor `{}`",
                            kernel.name,
                            kernel.symbol));
        kernels.push_back(std::move(kernel));
    }
    std::sort(kernels.begin(), kernels.end(), [](const auto& a, const auto& b) {
        return a.name < b.name;
    });
    return kernels;
}

Result<model::GfxArch> read_arch(const json& metadata) {
    const auto target = metadata.find("amdhsa.target");
    if (target == metadata.end() || !target->is_string())
        return damaged_object("its metadata note has no `amdhsa.target`");
    const auto text = target->get<std::string>();
    const auto at = text.find("-gfx");
    const auto arch =
        at == std::string::npos ? std::nullopt : model::GfxArch::parse(text.substr(at + 1));
    if (!arch)
        return damaged_object(fmt::format("its target `{}` is no AMD GPU architecture", text));
    return *arch;
}

/// ELF ABI versions 1 to 4 are code object versions 3 to 6; version 2 has other metadata and is 8
/// years old.
Result<std::uint32_t> read_version(const elf::ElfFile& file) {
    if (file.machine != EM_AMDGPU || file.os_abi != kOsAbiAmdgpuHsa)
        return damaged_object("it is no code object of the AMD HSA runtime");
    if (file.abi_version < 1 || file.abi_version > 4)
        return damaged_object(fmt::format(
            "it has ELF ABI version {}, known are 1 to 4 (code object 3 to 6)", file.abi_version));
    return file.abi_version + 2U;
}

Result<CodeObject> read_parts(std::string_view bytes, const std::string& name) {
    KB_TRY_ASSIGN(file, elf::read_elf_bytes(bytes, name));
    KB_TRY_ASSIGN(version, read_version(file));
    KB_TRY_ASSIGN(metadata, read_metadata(bytes, file));
    KB_TRY_ASSIGN(arch, read_arch(metadata));
    KB_TRY_ASSIGN(kernels, read_kernels(metadata, file));
    for (auto& kernel : kernels)
        read_code(bytes, file, arch, kernel);
    return CodeObject{arch, version, bytes.size(), std::move(kernels)};
}

} // namespace

Result<CodeObject> read_code_object(std::string_view bytes, const std::string& name) {
    auto object = read_parts(bytes, name);
    if (!object)
        return support::pass_on(std::move(object),
                                fmt::format("reading the code object `{}`", name));
    return object;
}

} // namespace kbuild::inspect
