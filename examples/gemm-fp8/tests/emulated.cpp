// Runs the kernel on the CPU: `kbuild build --emulate`. Compares with sums in double; the emulator looks for accesses out of
// bounds, missing waits, races and more on the way. Small problems by default; KBUILD_EMULATE_FULL=1 adds the challenge's other test shapes (minutes).

#include "gemm/gemm.h"

#include <hip/hip_runtime_api.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

struct Shape {
    std::int64_t m, n, k;
    bool a_along_rows, b_along_rows;
};

const Shape kSmall[] = {
    {64, 64, 128, false, false}, {96, 72, 256, true, false}, {1, 128, 128, false, true}, {136, 136, 256, true, true}};
const Shape kLarge[] = {{64, 1536, 7168, false, false},  {64, 3072, 1536, true, true},   {64, 576, 7168, true, false},
                        {96, 7168, 256, false, true},    {96, 7168, 2048, true, true},   {96, 4608, 7168, false, false},
                        {128, 7168, 2304, true, true},   {128, 512, 7168, false, false}, {512, 4096, 512, true, true},
                        {512, 1536, 7168, false, false}};

std::uint32_t next_random() {
    static std::uint64_t state = 1;
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::uint32_t>(state >> 33);
}

float from_e4m3fnuz(std::uint8_t code) {
    const int exponent = code >> 3 & 15;
    const int digits = code & 7;
    const float size = exponent == 0 ? std::ldexp(static_cast<float>(digits), -10)
                                     : std::ldexp(static_cast<float>(8 + digits), exponent - 11);
    return (code & 0x80) != 0 ? -size : size;
}

float from_bf16(std::uint16_t bits) {
    const std::uint32_t word = static_cast<std::uint32_t>(bits) << 16;
    float value;
    std::memcpy(&value, &word, sizeof value);
    return value;
}

std::vector<std::uint8_t> random_codes(std::int64_t count) {
    std::vector<std::uint8_t> codes(static_cast<std::size_t>(count));
    for (auto& code : codes) {
        code = static_cast<std::uint8_t>(next_random() % 0x60 + next_random() % 2 * 0x80);
        code = code == 0x80 ? 0 : code;  // not NaN
    }
    return codes;
}

std::vector<float> random_scales(std::int64_t count) {
    std::vector<float> scales(static_cast<std::size_t>(count));
    for (auto& scale : scales) {
        scale = static_cast<float>(next_random() % 1024) / 512.0f - 1.0f;
    }
    return scales;
}

template <class T>
T* on_device(const std::vector<T>& host) {
    void* device = nullptr;
    if (hipMalloc(&device, host.size() * sizeof(T)) != hipSuccess ||
        hipMemcpy(device, host.data(), host.size() * sizeof(T), hipMemcpyHostToDevice) != hipSuccess) {
        std::exit(1);
    }
    return static_cast<T*>(device);
}

// The largest error of every 37th row, in units of what rounding to bf16 allows.
double worst_error(const Shape& shape) {
    const std::int64_t m = shape.m, n = shape.n, k = shape.k, blocks = k / gemm_fp8::kScaleBlock;
    const auto a = random_codes(m * k);
    const auto b = random_codes(n * k);
    const auto a_scale = random_scales(m * blocks);
    const auto b_scale = random_scales((n + 127) / 128 * blocks);
    const gemm_fp8::Strides a_stride = shape.a_along_rows ? gemm_fp8::Strides{1, m} : gemm_fp8::Strides{k, 1};
    const gemm_fp8::Strides b_stride = shape.b_along_rows ? gemm_fp8::Strides{1, n} : gemm_fp8::Strides{k, 1};
    void* out = nullptr;
    std::vector<std::uint16_t> result(static_cast<std::size_t>(m * n));
    if (hipMalloc(&out, result.size() * 2) != hipSuccess) {
        return HUGE_VAL;
    }
    const gemm_fp8::GemmProblem problem{m,        n,        k,           out,        on_device(a), on_device(b), on_device(a_scale),
                                        on_device(b_scale), a_stride, b_stride, {blocks, 1}, {blocks, 1}};
    if (gemm_fp8::gemm_launch(problem, nullptr) != hipSuccess || hipDeviceSynchronize() != hipSuccess ||
        hipMemcpy(result.data(), out, result.size() * 2, hipMemcpyDeviceToHost) != hipSuccess) {
        return HUGE_VAL;
    }
    double worst = 0;
    for (std::int64_t row = 0; row < m; row += 37) {
        for (std::int64_t column = 0; column < n; ++column) {
            double sum = 0, size = 0;
            for (std::int64_t i = 0; i < k; ++i) {
                const auto x = from_e4m3fnuz(a[static_cast<std::size_t>(row * a_stride.row + i * a_stride.k)]);
                const auto y = from_e4m3fnuz(b[static_cast<std::size_t>(column * b_stride.row + i * b_stride.k)]);
                const double scale = static_cast<double>(a_scale[static_cast<std::size_t>(row * blocks + i / 128)]) *
                                     b_scale[static_cast<std::size_t>(column / 128 * blocks + i / 128)];
                sum += scale * x * y;
                size += std::fabs(scale * x * y);
            }
            const double got = from_bf16(result[static_cast<std::size_t>(row * n + column)]);
            worst = std::fmax(worst, std::fabs(got - sum) / (std::fabs(sum) / 256 + size * 1e-6));
        }
    }
    return worst;
}

bool passes(const Shape& shape) {
    const double worst = worst_error(shape);
    std::printf("%4lld x %4lld x %4lld, A along %s, B along %s: %.2f of the error that bf16 allows\n",
                static_cast<long long>(shape.m), static_cast<long long>(shape.n), static_cast<long long>(shape.k),
                shape.a_along_rows ? "rows" : "k", shape.b_along_rows ? "rows" : "k", worst);
    return worst <= 1.0;
}

}  // namespace

int main() {
    bool good = true;
    for (const Shape& shape : kSmall) {
        good = passes(shape) && good;
    }
    if (std::getenv("KBUILD_EMULATE_FULL") != nullptr) {
        for (const Shape& shape : kLarge) {
            good = passes(shape) && good;
        }
    }
    return good ? 0 : 1;
}
