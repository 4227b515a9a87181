#include "kbuild/step/record.hpp"

#include "small_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <sys/stat.h>

namespace kbuild::step {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLeastOfACompiler = 32ULL << 20U;

/// A file name for a unit's path (FNV-1a, 64 bits; the file holds the unit's name too).
std::string file_of(const std::string& unit) {
    std::uint64_t hash = 14695981039346656037ULL;
    for (const char byte : unit)
        hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
    std::string name;
    for (int shift = 60; shift >= 0; shift -= 4)
        name += "0123456789abcdef"[(hash >> static_cast<unsigned>(shift)) & 15U];
    return name;
}

/// `<remembered> <last> <unit>`.
Peak parse_peak(const std::string& text) {
    char* end = nullptr;
    Peak peak;
    peak.remembered = std::strtoull(text.c_str(), &end, 10);
    peak.last = std::strtoull(end, &end, 10);
    if (*end == ' ')
        peak.unit = text.substr(static_cast<std::size_t>(end + 1 - text.c_str()));
    return peak;
}

} // namespace

Peak updated(Peak old, std::uint64_t last) {
    old.last = last;
    if (last >= kLeastOfACompiler)
        old.remembered = last;
    return old;
}

Peak read_peak(const fs::path& folder, const std::string& unit) {
    const auto peak = parse_peak(read_small(folder / kPeaks / file_of(unit)).value_or(""));
    return peak.unit == unit ? peak : Peak{unit, 0, 0};
}

void write_peak(const fs::path& folder, const Peak& peak) {
    ::mkdir((folder / kPeaks).c_str(), 0755);
    replace_small(folder / kPeaks / file_of(peak.unit),
                  std::to_string(peak.remembered) + " " + std::to_string(peak.last) + " " +
                      peak.unit);
}

std::vector<Peak> read_peaks(const fs::path& folder) {
    std::vector<Peak> peaks;
    std::error_code failed;
    for (fs::directory_iterator entry(folder / kPeaks, failed), end; entry != end;
         entry.increment(failed))
        if (auto peak = parse_peak(read_small(entry->path()).value_or("")); !peak.unit.empty())
            peaks.push_back(std::move(peak));
    std::sort(peaks.begin(), peaks.end());
    return peaks;
}

} // namespace kbuild::step
