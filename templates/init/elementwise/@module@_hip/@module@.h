#pragma once

#include <cstdint>

// Interface between the binding and the device code: no torch and no HIP header, so that each side is compiled
// as rarely as possible.

// out[i] = factor * input[i] for i < count. Both pointers are device memory; `stream` is a hipStream_t.
// Returns a hipError_t as a number, 0 on success.
int @module@_launch(float* out, const float* input, float factor, std::int64_t count, void* stream);

// The text of such a number.
const char* @module@_error(int error);
