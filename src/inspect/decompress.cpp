#include "decompress.hpp"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <memory>

namespace kbuild::inspect {
namespace {

using support::ErrorKind;
using support::Result;

constexpr std::size_t kFirstStep = std::size_t{1} << 20U;

tl::unexpected<support::Error> damaged(std::string_view format, std::string_view reason) {
    return support::fail(ErrorKind::content, fmt::format("damaged {} stream: {}", format, reason));
}

tl::unexpected<support::Error> wrong_size(std::string_view format, std::size_t size) {
    return damaged(format,
                   fmt::format("it does not come to the {} bytes that its header says", size));
}

/// Room for more output: doubled, up to one byte more than `size`, so that too much output is
/// noticed.
void grow(std::string& bytes, std::size_t size) {
    bytes.resize(std::min(size + 1, std::max(kFirstStep, bytes.size() * 2)));
}

struct InflateEnd {
    void operator()(z_stream* stream) const { inflateEnd(stream); }
};

uInt clamp(std::size_t count) {
    return static_cast<uInt>(std::min<std::size_t>(count, std::numeric_limits<uInt>::max()));
}

struct FreeZstd {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

} // namespace

Result<Decompressed> unpack_zlib(std::string_view packed, std::size_t size) {
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK)
        return damaged("zlib", "no memory");
    const std::unique_ptr<z_stream, InflateEnd> guard(&stream);
    Decompressed result;
    std::size_t produced = 0;
    int code = Z_OK;
    while (code != Z_STREAM_END) {
        if (produced > size)
            return wrong_size("zlib", size);
        if (produced == result.bytes.size())
            grow(result.bytes, size);
        const uInt room = clamp(result.bytes.size() - produced);
        const uInt given = clamp(packed.size() - result.consumed);
        // zlib reads through this pointer only; its interface predates const.
        stream.next_in =
            reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + result.consumed));
        stream.avail_in = given;
        stream.next_out = reinterpret_cast<Bytef*>(result.bytes.data() + produced);
        stream.avail_out = room;
        code = inflate(&stream, Z_NO_FLUSH);
        if (code != Z_OK && code != Z_STREAM_END)
            return damaged("zlib", stream.msg != nullptr ? stream.msg : "it ends too early");
        result.consumed += given - stream.avail_in;
        produced += room - stream.avail_out;
    }
    result.bytes.resize(produced);
    return produced == size ? Result<Decompressed>(std::move(result)) : wrong_size("zlib", size);
}

Result<Decompressed> unpack_zstd(std::string_view packed, std::size_t size) {
    const std::unique_ptr<ZSTD_DStream, FreeZstd> stream(ZSTD_createDStream());
    if (!stream)
        return damaged("zstd", "no memory");
    Decompressed result;
    std::size_t produced = 0;
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    for (std::size_t code = 1; code != 0;) {
        if (produced > size)
            return wrong_size("zstd", size);
        if (produced == result.bytes.size())
            grow(result.bytes, size);
        ZSTD_outBuffer out{result.bytes.data(), result.bytes.size(), produced};
        code = ZSTD_decompressStream(stream.get(), &out, &in);
        if (ZSTD_isError(code) != 0U)
            return damaged("zstd", ZSTD_getErrorName(code));
        if (code != 0 && in.pos == in.size && out.pos < out.size)
            return damaged("zstd", "it ends too early");
        produced = out.pos;
    }
    result.consumed = in.pos;
    result.bytes.resize(produced);
    return produced == size ? Result<Decompressed>(std::move(result)) : wrong_size("zstd", size);
}

} // namespace kbuild::inspect
