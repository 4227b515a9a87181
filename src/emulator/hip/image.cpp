#include "hip/runtime.hpp"

#include "kbuild/inspect/device_code.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>

namespace kbuild::emulator::hip {
namespace {

constexpr std::string_view kPlainMagic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view kCompressedMagic = "CCOB";

template <class T> T read_at(const char* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

std::size_t elf_size(const char* data) {
    const auto header = read_at<Elf64_Ehdr>(data);
    return header.e_shoff + std::size_t{header.e_shnum} * header.e_shentsize;
}

std::size_t plain_bundle_size(const char* data) {
    const auto count = read_at<std::uint64_t>(data + kPlainMagic.size());
    const char* entry = data + kPlainMagic.size() + 8;
    std::uint64_t end = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        end = std::max(end, read_at<std::uint64_t>(entry) + read_at<std::uint64_t>(entry + 8));
        entry += 24 + read_at<std::uint64_t>(entry + 16);
    }
    return std::max<std::size_t>(end, static_cast<std::size_t>(entry - data));
}

/// Version 1 has no total size; its reader stops by itself at the end of the compressed stream.
std::size_t compressed_bundle_size(const char* data) {
    const auto version = read_at<std::uint16_t>(data + 4);
    return version == 2   ? read_at<std::uint32_t>(data + 8)
           : version >= 3 ? read_at<std::uint64_t>(data + 8)
                          : 64U << 20U;
}

} // namespace

std::string_view image_at(const void* data) {
    const char* const bytes = static_cast<const char*>(data);
    if (std::memcmp(bytes, ELFMAG, SELFMAG) == 0)
        return {bytes, elf_size(bytes)};
    if (std::memcmp(bytes, kPlainMagic.data(), kPlainMagic.size()) == 0)
        return {bytes, plain_bundle_size(bytes)};
    if (std::memcmp(bytes, kCompressedMagic.data(), kCompressedMagic.size()) == 0)
        return {bytes, compressed_bundle_size(bytes)};
    return {};
}

std::optional<std::string> code_object_of(std::string_view image, std::string& problem) {
    if (image.starts_with(ELFMAG))
        return std::string(image);
    const auto bundles = inspect::read_bundles(image);
    if (!bundles) {
        problem = bundles.error().to_string();
        return std::nullopt;
    }
    std::string others;
    for (const auto& bundle : *bundles)
        for (const auto& entry : bundle.entries) {
            if (entry.target.find("-gfx942") != std::string::npos && !entry.bytes.empty())
                return std::string(entry.bytes);
            if (!entry.target.starts_with("host-"))
                others += " " + entry.target;
        }
    problem = "it holds no code for gfx942, only:" + others;
    return std::nullopt;
}

} // namespace kbuild::emulator::hip
