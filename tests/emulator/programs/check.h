#pragma once

// What the test programs share: they compute something on the device and on the host and compare.
// No file of theirs includes anything but HIP and the standard library.

#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK_HIP(call)                                                                            \
    do {                                                                                           \
        const hipError_t error_ = (call);                                                          \
        if (error_ != hipSuccess) {                                                                \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, hipGetErrorString(error_));    \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (false)

/// Device memory that is copied from and to vectors.
template <class T> class DeviceArray {
public:
    explicit DeviceArray(std::size_t count) : count_(count) { CHECK_HIP(hipMalloc(&data_, count * sizeof(T))); }
    explicit DeviceArray(const std::vector<T>& from) : DeviceArray(from.size()) {
        CHECK_HIP(hipMemcpy(data_, from.data(), count_ * sizeof(T), hipMemcpyHostToDevice));
    }
    ~DeviceArray() { (void)hipFree(data_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    T* data() const { return data_; }
    std::vector<T> read() const {
        std::vector<T> out(count_);
        CHECK_HIP(hipMemcpy(out.data(), data_, count_ * sizeof(T), hipMemcpyDeviceToHost));
        return out;
    }

private:
    T* data_ = nullptr;
    std::size_t count_;
};

/// Repeatable numbers.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed * 2862933555777941757ULL + 3037000493ULL) {}
    std::uint32_t bits() {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<std::uint32_t>(state_ >> 33);
    }
    float uniform() { return static_cast<float>(bits() & 0xffffff) / 16777216.0f * 2.0f - 1.0f; }

private:
    std::uint64_t state_;
};

inline int failures = 0;

template <class T> void expect_equal(const char* what, const std::vector<T>& got, const std::vector<T>& want) {
    for (std::size_t i = 0; i < want.size(); ++i)
        if (std::memcmp(&got[i], &want[i], sizeof(T)) != 0) {
            std::printf("%s: element %zu is %g, not %g\n", what, i, static_cast<double>(got[i]), static_cast<double>(want[i]));
            ++failures;
            return;
        }
}

inline void expect_near(const char* what, const std::vector<float>& got, const std::vector<float>& want, double relative, double absolute) {
    for (std::size_t i = 0; i < want.size(); ++i)
        if (!(std::fabs(static_cast<double>(got[i]) - want[i]) <= absolute + relative * std::fabs(static_cast<double>(want[i])))) {
            std::printf("%s: element %zu is %g, not %g\n", what, i, static_cast<double>(got[i]), static_cast<double>(want[i]));
            ++failures;
            return;
        }
}

inline int finish() {
    std::printf(failures == 0 ? "ok\n" : "%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
