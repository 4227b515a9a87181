#include "@module@_cpu.h"

void @module@_cpu(float* out, const float* input, float factor, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
        out[i] = factor * input[i];
}
