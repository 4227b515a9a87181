#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kbuild::inspect {

/// Little-endian values out of bytes, front to back; none where the bytes end.
class ByteReader {
  public:
    explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

    std::size_t offset() const { return offset_; }
    std::size_t left() const { return bytes_.size() - offset_; }

    std::optional<std::string_view> take(std::uint64_t count) {
        if (count > left())
            return std::nullopt;
        const auto part = bytes_.substr(offset_, static_cast<std::size_t>(count));
        offset_ += part.size();
        return part;
    }

    std::optional<std::uint16_t> u16() { return number<std::uint16_t>(); }
    std::optional<std::uint32_t> u32() { return number<std::uint32_t>(); }
    std::optional<std::uint64_t> u64() { return number<std::uint64_t>(); }

  private:
    template <typename T> std::optional<T> number() {
        const auto part = take(sizeof(T));
        if (!part)
            return std::nullopt;
        std::uint64_t value = 0;
        for (std::size_t i = sizeof(T); i > 0; --i)
            value = (value << 8U) | static_cast<unsigned char>((*part)[i - 1]);
        return static_cast<T>(value);
    }

    std::string_view bytes_;
    std::size_t offset_ = 0;
};

} // namespace kbuild::inspect
