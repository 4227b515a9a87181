// The bare work of v_mfma_f32_32x32x16_fp8_fp8 on a CPU core: operands as the registers hold them, converted by a table,
// multiplied and added in the order of K by a plain loop that the compiler vectorises. Nothing is decoded, no operand is looked
// up: what an emulator can at best come close to. Prints microseconds of CPU time per instruction.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <vector>

namespace {

constexpr int kSize = 32;
constexpr int kK = 16;
float table[256];

float decoded(int code) {
    if (code == 0x80)
        return NAN;
    const int exponent = code >> 3 & 15;
    const float digits = static_cast<float>(code & 7) / 8.0f;
    const float size = exponent != 0 ? std::ldexp(1.0f + digits, exponent - 8) : std::ldexp(digits, -7);
    return (code & 0x80) != 0 ? -size : size;
}

/// Lane l holds 8 elements of row (or column) l % 32, from 8 * (l / 32) on.
void unpack(const std::uint8_t (*lanes)[8], float (*to)[kSize]) {
    for (int lane = 0; lane < 64; ++lane)
        for (int j = 0; j < 8; ++j)
            to[8 * (lane / 32) + j][lane % 32] = table[lanes[lane][j]];
}

void multiply(const std::uint8_t (*a_lanes)[8], const std::uint8_t (*b_lanes)[8], float (*sum)[kSize]) {
    alignas(64) float a[kK][kSize];
    alignas(64) float b[kK][kSize];
    unpack(a_lanes, a);
    unpack(b_lanes, b);
    for (int i = 0; i < kSize; ++i) {
        alignas(64) float row[kSize];
        std::memcpy(row, sum[i], sizeof row);
        for (int k = 0; k < kK; ++k)
            for (int n = 0; n < kSize; ++n)
                row[n] = std::fma(a[k][i], b[k][n], row[n]);
        std::memcpy(sum[i], row, sizeof row);
    }
}

} // namespace

int main() {
    for (int code = 0; code < 256; ++code)
        table[code] = decoded(code);
    constexpr int kTiles = 64;
    constexpr int kRounds = 2000;
    std::vector<std::uint8_t> bytes(2 * kTiles * 512);
    std::uint32_t state = 1;
    for (auto& byte : bytes)
        byte = static_cast<std::uint8_t>((state = state * 1664525U + 1013904223U) >> 25); // positive codes
    alignas(64) static float sum[kSize][kSize];
    const std::clock_t start = std::clock();
    for (int round = 0; round < kRounds; ++round)
        for (int tile = 0; tile < kTiles; ++tile) {
            const auto* const lanes = reinterpret_cast<const std::uint8_t(*)[8]>(&bytes[1024 * static_cast<std::size_t>(tile)]);
            multiply(lanes, lanes + 64, sum);
        }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::fprintf(stderr, "%g\n", static_cast<double>(sum[3][5])); // so that nothing is optimised away
    std::printf("%.4f\n", seconds * 1e6 / (kTiles * kRounds));
    return 0;
}
