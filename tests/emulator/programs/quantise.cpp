#include "check.h"

// To e4m3fnuz and back with the machine's own conversions.

__global__ void quantise(const float* in, unsigned* out, float* back, int count) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= count)
        return;
    const float* const four = in + 4 * i;
    int word = __builtin_amdgcn_cvt_pk_fp8_f32(four[0], four[1], 0, false);
    word = __builtin_amdgcn_cvt_pk_fp8_f32(four[2], four[3], word, true);
    out[i] = static_cast<unsigned>(word);
    back[4 * i] = __builtin_amdgcn_cvt_f32_fp8(word, 0);
    back[4 * i + 1] = __builtin_amdgcn_cvt_f32_fp8(word, 1);
    back[4 * i + 2] = __builtin_amdgcn_cvt_f32_fp8(word, 2);
    back[4 * i + 3] = __builtin_amdgcn_cvt_f32_fp8(word, 3);
}

float value_of(unsigned code) {
    const int exponent = static_cast<int>(code >> 3 & 15);
    const int mantissa = static_cast<int>(code & 7);
    const float size = exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -10)
                                     : std::ldexp(static_cast<float>(8 + mantissa), exponent - 11);
    return (code & 0x80) != 0 ? -size : size;
}

/// The nearest code, by trying all; ties go to the even one.
unsigned nearest(float value) {
    unsigned best = 0;
    for (unsigned code = 0; code < 256; ++code) {
        if (code == 0x80)
            continue;
        const float distance = std::fabs(value_of(code) - value);
        const float least = std::fabs(value_of(best) - value);
        if (distance < least || (distance == least && code % 2 == 0 && best % 2 == 1))
            best = code;
    }
    return best;
}

int main() {
    const int words = 300;
    Random random(23);
    std::vector<float> in(4 * words);
    for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = random.uniform() * (i % 3 == 0 ? 0.01f : i % 3 == 1 ? 1.0f : 240.0f);
    std::vector<unsigned> want(words);
    std::vector<float> want_back(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
        const unsigned code = nearest(in[i]);
        want[i / 4] |= code << (8 * (i % 4));
        want_back[i] = value_of(code);
    }
    DeviceArray<float> in_device(in);
    DeviceArray<unsigned> out(words);
    DeviceArray<float> back(in.size());
    quantise<<<(words + 63) / 64, 64>>>(in_device.data(), out.data(), back.data(), words);
    expect_equal("codes", out.read(), want);
    expect_equal("values", back.read(), want_back);
    return finish();
}
