#pragma once

#include <cstdint>

// out[i] = factor * input[i] for i < count.
void @module@_cpu(float* out, const float* input, float factor, std::int64_t count);
