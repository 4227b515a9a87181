#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace kbuild::elf {

/// The hash table of names that a loader looks them up in (.gnu.hash): finds the 300 names of a
/// kernel without looking at all 70,000 of libtorch_cpu. Its parts are 32-bit words in this order:
/// a header of 4, a Bloom filter of 64-bit words, the first symbol of each bucket, and of each
/// symbol its hash, odd where a bucket ends
/// (sourceware.org/pipermail/binutils/2006-October/049450.html).
class NameTable {
  public:
    explicit NameTable(std::string_view bytes) : words_(bytes.size() / 4) {
        std::memcpy(words_.data(), bytes.data(), words_.size() * 4);
        if (words_.size() < kHeader)
            return;
        buckets_ = words_[0];
        first_ = words_[1];
        bucket_ = kHeader + 2 * std::size_t{words_[2]};
        hash_ = bucket_ + buckets_;
    }

    /// Number of the first symbol that can be looked up; others use names of other libraries.
    std::size_t first() const { return first_; }

    /// Calls `take` with the numbers of symbols that may have this name, until it returns true.
    template <typename Take> void look_up(std::string_view name, Take take) const {
        const auto hash = hash_of(name);
        if (buckets_ == 0 || bucket_ + buckets_ > words_.size())
            return;
        std::size_t symbol = words_[bucket_ + hash % buckets_];
        if (symbol < first_)
            return;
        for (auto at = hash_ + symbol - first_; at < words_.size(); ++at, ++symbol) {
            if ((words_[at] | 1U) == (hash | 1U) && take(symbol))
                return;
            if ((words_[at] & 1U) != 0)
                return;
        }
    }

  private:
    static constexpr std::size_t kHeader = 4;

    static std::uint32_t hash_of(std::string_view name) {
        std::uint32_t hash = 5381;
        for (const char c : name)
            hash = hash * 33 + static_cast<unsigned char>(c);
        return hash;
    }

    std::vector<std::uint32_t> words_;
    std::size_t buckets_ = 0;
    std::size_t first_ = 0;  ///< the first symbol that has a hash
    std::size_t bucket_ = 0; ///< where buckets begin in words_
    std::size_t hash_ = 0;   ///< where hashes begin
};

} // namespace kbuild::elf
