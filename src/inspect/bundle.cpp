#include "byte_reader.hpp"
#include "decompress.hpp"

#include "kbuild/inspect/device_code.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kbuild::inspect {
namespace {

using support::ErrorKind;
using support::Result;

constexpr std::string_view kPlainMagic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view kCompressedMagic = "CCOB";
constexpr std::size_t kMaxTargetLength = 1024;

tl::unexpected<support::Error> damaged(std::string_view what) {
    return support::fail(ErrorKind::content, std::string(what));
}

/// A bundle and how many of the bytes it takes.
struct Piece {
    Bundle bundle;
    std::size_t length = 0;
};

/// One line of a plain bundle's table of contents.
Result<BundleEntry> read_entry(std::string_view bytes, ByteReader& table, std::uint64_t& end) {
    const auto offset = table.u64();
    const auto size = table.u64();
    const auto length = table.u64();
    if (!offset || !size || !length)
        return damaged("its table of contents is cut off");
    if (*length > kMaxTargetLength)
        return damaged(fmt::format("a target name has {} bytes", *length));
    const auto target = table.take(*length);
    if (!target)
        return damaged("its table of contents is cut off");
    if (*offset > bytes.size() || *size > bytes.size() - *offset)
        return damaged(fmt::format("the entry `{}` lies outside of it", *target));
    end = std::max(end, *offset + *size);
    return BundleEntry{
        std::string(*target),
        bytes.substr(static_cast<std::size_t>(*offset), static_cast<std::size_t>(*size))};
}

Result<Piece> read_plain(std::string_view bytes) {
    ByteReader table(bytes);
    table.take(kPlainMagic.size());
    const auto count = table.u64();
    if (!count)
        return damaged("its table of contents is cut off");
    Piece piece;
    std::uint64_t end = 0;
    std::uint64_t total = 0;
    for (std::uint64_t i = 0; i < *count; ++i) {
        KB_TRY_ASSIGN(entry, read_entry(bytes, table, end));
        total += entry.bytes.size();
        // Overlapping entries would let a small file cause any amount of work.
        if (total > bytes.size())
            return damaged("its entries overlap");
        piece.bundle.entries.push_back(std::move(entry));
    }
    piece.length = std::max(table.offset(), static_cast<std::size_t>(end));
    return piece;
}

/// The header of a compressed bundle. Version 1 does not say how long the bundle is.
struct CompressedHeader {
    std::uint16_t method = 0; ///< 0 zlib, 1 zstd
    std::optional<std::uint64_t> total_size;
    std::uint64_t unpacked_size = 0;
    std::size_t length = 0; ///< of the header
};

Result<CompressedHeader> read_compressed_header(std::string_view bytes) {
    ByteReader in(bytes);
    in.take(kCompressedMagic.size());
    const auto version = in.u16();
    const auto method = in.u16();
    if (!version || !method)
        return damaged("its header is cut off");
    if (*version < 1 || *version > 3)
        return damaged(fmt::format("it has format version {}, known are 1 to 3", *version));
    CompressedHeader header;
    header.method = *method;
    const auto size = [&in, wide = *version == 3]() -> std::optional<std::uint64_t> {
        if (wide)
            return in.u64();
        return in.u32();
    };
    if (*version >= 2)
        header.total_size = size();
    const auto unpacked = size();
    const auto hash = in.u64();
    if (!unpacked || !hash || (*version >= 2 && !header.total_size))
        return damaged("its header is cut off");
    header.unpacked_size = *unpacked;
    header.length = in.offset();
    if (header.total_size &&
        (*header.total_size > bytes.size() || *header.total_size < header.length))
        return damaged(fmt::format(
            "its header says {} bytes, there are {}", *header.total_size, bytes.size()));
    return header;
}

Result<Piece> read_compressed(std::string_view bytes, std::size_t& budget) {
    KB_TRY_ASSIGN(header, read_compressed_header(bytes));
    if (header.unpacked_size > budget)
        return damaged(fmt::format("it says that it unpacks to {} bytes, more than the limit",
                                   header.unpacked_size));
    const auto size = static_cast<std::size_t>(header.unpacked_size);
    if (header.method > 1)
        return damaged(fmt::format("compression method {} is unknown", header.method));
    const auto total = static_cast<std::size_t>(header.total_size.value_or(bytes.size()));
    const auto packed = bytes.substr(header.length, total - header.length);
    KB_TRY_ASSIGN(unpacked,
                  header.method == 0 ? unpack_zlib(packed, size) : unpack_zstd(packed, size));
    budget -= size;
    const auto storage = std::make_shared<const std::string>(std::move(unpacked.bytes));
    if (!storage->starts_with(kPlainMagic))
        return damaged("what is compressed in it is no bundle");
    KB_TRY_ASSIGN(piece, read_plain(*storage));
    piece.bundle.compressed = true;
    piece.bundle.storage = storage;
    piece.length = header.total_size ? total : header.length + unpacked.consumed;
    return piece;
}

Result<Piece> read_bundle(std::string_view bytes, std::size_t& budget) {
    if (bytes.starts_with(kPlainMagic))
        return read_plain(bytes);
    if (bytes.starts_with(kCompressedMagic))
        return read_compressed(bytes, budget);
    return damaged("neither `__CLANG_OFFLOAD_BUNDLE__` nor `CCOB` stands there");
}

} // namespace

Result<std::vector<Bundle>> read_bundles(std::string_view fatbin, const Limits& limits) {
    std::vector<Bundle> bundles;
    std::size_t budget = limits.decompressed_bytes;
    for (std::size_t at = 0; (at = fatbin.find_first_not_of('\0', at)) != std::string_view::npos;) {
        auto piece = read_bundle(fatbin.substr(at), budget);
        if (!piece)
            return support::pass_on(std::move(piece),
                                    fmt::format("reading the offload bundle at offset {:#x}", at));
        bundles.push_back(std::move(piece->bundle));
        at += piece->length;
    }
    return bundles;
}

std::optional<model::GfxArch> arch_of_target(std::string_view target) {
    // `<kind>-amdgcn-amd-amdhsa-<environment>-<arch>`; the environment is empty, and older
    // compilers leave out its dash.
    if (target.find("-amdgcn-") == std::string_view::npos)
        return std::nullopt;
    const auto at = target.find("-gfx");
    if (at == std::string_view::npos)
        return std::nullopt;
    return model::GfxArch::parse(target.substr(at + 1));
}

} // namespace kbuild::inspect
