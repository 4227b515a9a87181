#pragma once

#include "elf_builder.hpp"

#include <nlohmann/json.hpp>
#include <zlib.h>
#include <zstd.h>

#include <string>
#include <utility>
#include <vector>

/// Code objects and offload bundles for tests, written as LLVM documents them.
namespace kbuild::test {

using nlohmann::json;

/// A kernel as the compiler describes it in the metadata note.
inline json kernel_metadata(const std::string& name) {
    return {{".name", name},
            {".symbol", name + ".kd"},
            {".vgpr_count", 52},
            {".agpr_count", 16},
            {".sgpr_count", 26},
            {".vgpr_spill_count", 3},
            {".sgpr_spill_count", 1},
            {".group_segment_fixed_size", 9216},
            {".private_segment_fixed_size", 20},
            {".kernarg_segment_size", 48},
            {".kernarg_segment_align", 8},
            {".max_flat_workgroup_size", 256},
            {".wavefront_size", 64},
            {".uses_dynamic_stack", false}};
}

inline json code_metadata(const std::string& arch, const std::vector<std::string>& kernels) {
    json list = json::array();
    for (const auto& kernel : kernels)
        list.push_back(kernel_metadata(kernel));
    return {{"amdhsa.kernels", list},
            {"amdhsa.target", "amdgcn-amd-amdhsa--" + arch},
            {"amdhsa.version", {1, 2}}};
}

/// An ELF note `AMDGPU`, type 32.
inline std::string amdgpu_note(const std::string& content) {
    std::string bytes;
    append(bytes, std::uint32_t{7});
    append(bytes, static_cast<std::uint32_t>(content.size()));
    append(bytes, std::uint32_t{32});
    bytes += std::string("AMDGPU\0\0", 8) + content;
    bytes.resize((bytes.size() + 3) / 4 * 4, '\0');
    return bytes;
}

/// The ELF image of a code object: `abi_version` 2, 3, 4 is code object version 4, 5, 6.
inline ElfImage code_object_image(const std::vector<std::string>& kernels,
                                  const std::string& note,
                                  unsigned char abi_version = 3) {
    ElfImage image;
    image.machine = 224; // EM_AMDGPU
    image.os_abi = 64;   // ELFOSABI_AMDGPU_HSA
    image.abi_version = abi_version;
    image.sections = {{".note", SHT_NOTE, note}};
    for (const auto& kernel : kernels)
        image.symbols.push_back({kernel + ".kd", true});
    return image;
}

inline std::string message_pack(const json& value) {
    std::string bytes;
    json::to_msgpack(value, nlohmann::detail::output_adapter<char>(bytes));
    return bytes;
}

inline std::string code_object(const std::string& arch,
                               const std::vector<std::string>& kernels,
                               unsigned char abi_version = 3) {
    const auto note = amdgpu_note(message_pack(code_metadata(arch, kernels)));
    return build_elf(code_object_image(kernels, note, abi_version));
}

/// A code object whose kernels have machine code: one `.text`, function symbols with their sizes.
inline std::string
code_object_with(const std::string& arch,
                 const std::vector<std::pair<std::string, std::vector<std::uint32_t>>>& kernels) {
    std::vector<std::string> names;
    for (const auto& kernel : kernels)
        names.push_back(kernel.first);
    const auto note = amdgpu_note(message_pack(code_metadata(arch, names)));
    auto image = code_object_image(names, note);
    constexpr std::uint64_t kAddress = 0x1000;
    std::string text;
    for (const auto& [name, words] : kernels) {
        ElfSymbol function{name, true};
        function.value = kAddress + text.size();
        function.size = words.size() * sizeof(std::uint32_t);
        image.symbols.push_back(function);
        for (const auto word : words)
            append(text, word);
    }
    image.sections.push_back({".text", SHT_PROGBITS, text, kAddress});
    return build_elf(image);
}

using BundleParts = std::vector<std::pair<std::string, std::string>>;

/// A plain bundle; device entries start at multiples of `alignment`.
inline std::string plain_bundle(const BundleParts& parts, std::size_t alignment = 4096) {
    std::string table = "__CLANG_OFFLOAD_BUNDLE__";
    append(table, std::uint64_t{parts.size()});
    std::size_t table_size = table.size();
    for (const auto& part : parts)
        table_size += 24 + part.first.size();
    std::string content;
    const auto aligned = [alignment](std::size_t at) {
        return (at + alignment - 1) / alignment * alignment;
    };
    std::size_t at = aligned(table_size);
    for (const auto& [target, bytes] : parts) {
        append(table, std::uint64_t{at});
        append(table, std::uint64_t{bytes.size()});
        append(table, std::uint64_t{target.size()});
        table += target;
        content.resize(at - aligned(table_size), '\0');
        content += bytes;
        at = aligned(at + bytes.size());
    }
    table.resize(aligned(table_size), '\0');
    return table + content;
}

/// The usual bundle of one compile: an empty host entry and one code object per architecture.
inline std::string hip_bundle(const std::vector<std::pair<std::string, std::string>>& objects) {
    BundleParts parts = {{"host-x86_64-unknown-linux-gnu-", ""}};
    for (const auto& [arch, object] : objects)
        parts.emplace_back("hipv4-amdgcn-amd-amdhsa--" + arch, object);
    return plain_bundle(parts);
}

enum class Method : std::uint16_t { zlib = 0, zstd = 1 };

inline std::string pack(const std::string& bytes, Method method) {
    std::string packed;
    if (method == Method::zstd) {
        packed.resize(ZSTD_compressBound(bytes.size()));
        packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 3));
        return packed;
    }
    uLongf size = compressBound(bytes.size());
    packed.resize(size);
    compress(reinterpret_cast<Bytef*>(packed.data()),
             &size,
             reinterpret_cast<const Bytef*>(bytes.data()),
             bytes.size());
    packed.resize(size);
    return packed;
}

/// `CCOB` of format version 1, 2 or 3 around a plain bundle.
inline std::string compressed_bundle(const std::string& plain, int version, Method method) {
    const auto packed = pack(plain, method);
    const auto number = [wide = version == 3](std::string& bytes, std::size_t value) {
        if (wide)
            append(bytes, std::uint64_t{value});
        else
            append(bytes, static_cast<std::uint32_t>(value));
    };
    const std::size_t header_size = version == 1 ? 20 : version == 2 ? 24 : 32;
    std::string bytes = "CCOB";
    append(bytes, static_cast<std::uint16_t>(version));
    append(bytes, static_cast<std::uint16_t>(method));
    if (version >= 2)
        number(bytes, header_size + packed.size());
    number(bytes, plain.size());
    append(bytes, std::uint64_t{0x1234}); // a hash that readers do not need
    return bytes + packed;
}

} // namespace kbuild::test
