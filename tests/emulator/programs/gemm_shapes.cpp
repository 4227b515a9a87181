// The example's GEMM at given shapes: gemm_shapes M N K [LAYOUTS], compared with sums in double of
// every 37th row. LAYOUTS is a number 0-3: bit 0 makes A, bit 1 B row-contiguous.

#include "check.h"
#include "gemm.h"

namespace {

float from_e4m3fnuz(unsigned char code) {
    if (code == 0x80)
        return NAN;
    const int exponent = code >> 3 & 15;
    const int mantissa = code & 7;
    const float size = exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -10)
                                     : std::ldexp(static_cast<float>(8 + mantissa), exponent - 11);
    return (code & 0x80) != 0 ? -size : size;
}

float from_bf16(std::uint16_t bits) {
    const std::uint32_t word = static_cast<std::uint32_t>(bits) << 16;
    float value;
    std::memcpy(&value, &word, sizeof value);
    return value;
}

} // namespace

int main(int count, char** arguments) {
    const std::int64_t m = count > 1 ? std::atoi(arguments[1]) : 64;
    const std::int64_t n = count > 2 ? std::atoi(arguments[2]) : 64;
    const std::int64_t k = count > 3 ? std::atoi(arguments[3]) : 128;
    const int layouts = count > 4 ? std::atoi(arguments[4]) : 0;
    const bool a_rows = (layouts & 1) != 0;
    const bool b_rows = (layouts & 2) != 0;
    Random random(1);
    const auto codes = [&](std::int64_t elements) {
        std::vector<unsigned char> all(static_cast<std::size_t>(elements));
        for (auto& code : all) {
            code = static_cast<unsigned char>(random.bits() % 0x60 + (random.bits() % 2) * 0x80);
            code = code == 0x80 ? 0 : code;
        }
        return all;
    };
    const auto scales = [&](std::int64_t elements) {
        std::vector<float> all(static_cast<std::size_t>(elements));
        for (auto& scale : all)
            scale = random.uniform();
        return all;
    };
    const std::int64_t blocks = k / 128;
    const auto a = codes(m * k);
    const auto b = codes(n * k);
    const auto a_scale = scales(m * blocks);
    const auto b_scale = scales((n + 127) / 128 * blocks);
    DeviceArray<unsigned char> a_device(a);
    DeviceArray<unsigned char> b_device(b);
    DeviceArray<float> a_scale_device(a_scale);
    DeviceArray<float> b_scale_device(b_scale);
    DeviceArray<std::uint16_t> out(static_cast<std::size_t>(m * n));
    const gemm_fp8::Strides along_k{k, 1};
    gemm_fp8::GemmProblem problem{m,
                                  n,
                                  k,
                                  out.data(),
                                  a_device.data(),
                                  b_device.data(),
                                  a_scale_device.data(),
                                  b_scale_device.data(),
                                  a_rows ? gemm_fp8::Strides{1, m} : along_k,
                                  b_rows ? gemm_fp8::Strides{1, n} : along_k,
                                  {blocks, 1},
                                  {blocks, 1}};
    CHECK_HIP(static_cast<hipError_t>(gemm_fp8::gemm_launch(problem, nullptr)));
    CHECK_HIP(hipDeviceSynchronize());
    const auto got = out.read();
    double worst = 0;
    for (std::int64_t row = 0; row < m; row += 37)
        for (std::int64_t column = 0; column < n; ++column) {
            double sum = 0;
            double size = 0;
            for (std::int64_t i = 0; i < k; ++i) {
                const double x =
                    from_e4m3fnuz(a[static_cast<std::size_t>(a_rows ? i * m + row : row * k + i)]);
                const double y = from_e4m3fnuz(
                    b[static_cast<std::size_t>(b_rows ? i * n + column : column * k + i)]);
                const double scale =
                    static_cast<double>(a_scale[static_cast<std::size_t>(row * blocks + i / 128)]) *
                    b_scale[static_cast<std::size_t>(column / 128 * blocks + i / 128)];
                sum += x * y * scale;
                size += std::fabs(x * y * scale);
            }
            const double error =
                std::fabs(from_bf16(got[static_cast<std::size_t>(row * n + column)]) - sum);
            const double allowed = std::fabs(sum) / 256 + size * 1e-6;
            worst = std::fmax(worst, error / allowed);
        }
    std::printf("%lld x %lld x %lld, layouts %d: worst error %.2f of what bf16 allows\n",
                static_cast<long long>(m),
                static_cast<long long>(n),
                static_cast<long long>(k),
                layouts,
                worst);
    failures += worst <= 1.0 ? 0 : 1;
    return finish();
}
