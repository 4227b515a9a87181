// A C++ program on libtorch, without Python: it loads the CPU variant that kbuild built and calls
// its op through torch's dispatcher. KBUILD_TEST_WORK names the folder where the example was built
// (conftest.py).

#include <catch2/catch.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <vector>

// The variant is a Python module too. It is linked so that all its symbols must be there when it is
// loaded, but only Python calls what needs this one. The program exports it.
extern "C" void* PyModule_Create2(void*, int);
extern "C" void* PyModule_Create2(void* /*definition*/, int /*version*/) {
    std::abort();
}

namespace {

namespace fs = std::filesystem;

constexpr const char* kVariant = "torch213-cxx11-cpu-x86_64-linux";
constexpr const char* kSuffix = ".abi3.so";
constexpr std::int64_t kM = 40;
constexpr std::int64_t kN = 136;
constexpr std::int64_t kK = 256;
constexpr std::int64_t kBlock = 128;

std::optional<fs::path> find_library() {
    const char* const work = std::getenv("KBUILD_TEST_WORK");
    const auto variant =
        fs::path(work == nullptr ? "" : work) / "example/gemm fp8/build" / kVariant;
    if (!fs::exists(variant)) {
        return std::nullopt;
    }
    for (const auto& entry : fs::directory_iterator(variant)) {
        if (entry.path().string().ends_with(kSuffix)) {
            return entry.path();
        }
    }
    return std::nullopt;
}

/// `_gemm_cpu_<id>`: the library's name, and the namespace of its ops.
std::string load(const fs::path& library) {
    void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    INFO((handle == nullptr ? dlerror() : ""));
    REQUIRE(handle != nullptr);
    const auto name = library.filename().string();
    return name.substr(0, name.size() - std::strlen(kSuffix));
}

/// e4m3fnuz by its definition: bias 8, 3 bits of mantissa, no infinity, 0x80 is NaN (not made
/// here).
double decode(std::uint8_t code) {
    const int exponent = code >> 3 & 15;
    const int mantissa = code & 7;
    const double value =
        exponent == 0 ? std::ldexp(mantissa, -10) : std::ldexp(8 + mantissa, exponent - 11);
    return code >> 7 != 0 ? -value : value;
}

struct Problem {
    std::vector<std::uint8_t> a = std::vector<std::uint8_t>(kM * kK);
    std::vector<std::uint8_t> b = std::vector<std::uint8_t>(kN * kK);
    std::vector<float> a_scale = std::vector<float>(kM * kK / kBlock);
    std::vector<float> b_scale = std::vector<float>((kN + kBlock - 1) / kBlock * kK / kBlock);
};

Problem make_problem() {
    std::mt19937 random(11);
    Problem problem;
    for (auto* operand : {&problem.a, &problem.b}) {
        for (auto& code : *operand) {
            do {
                code = static_cast<std::uint8_t>(random());
            } while (code == 0x80);
        }
    }
    std::uniform_real_distribution<float> scale(0.5f, 2.0f);
    for (auto* scales : {&problem.a_scale, &problem.b_scale}) {
        for (auto& value : *scales) {
            value = scale(random);
        }
    }
    return problem;
}

double expected(const Problem& problem, std::int64_t m, std::int64_t n) {
    double sum = 0;
    for (std::int64_t k = 0; k < kK; ++k) {
        sum += decode(problem.a[m * kK + k]) * problem.a_scale[m * (kK / kBlock) + k / kBlock] *
               decode(problem.b[n * kK + k]) *
               problem.b_scale[n / kBlock * (kK / kBlock) + k / kBlock];
    }
    return sum;
}

at::Tensor view(std::vector<std::uint8_t>& codes, std::int64_t rows) {
    return at::from_blob(codes.data(), {rows, kK}, at::TensorOptions(at::kFloat8_e4m3fnuz));
}

at::Tensor view(std::vector<float>& scales) {
    const auto columns = kK / kBlock;
    return at::from_blob(scales.data(),
                         {static_cast<std::int64_t>(scales.size()) / columns, columns},
                         at::TensorOptions(at::kFloat));
}

} // namespace

TEST_CASE(
    "the op of a CPU variant is called through libtorch's dispatcher and agrees with float64") {
    const auto library = find_library();
    if (!library) {
        WARN("SKIPPED: the example was not built: KBUILD_TEST_WORK");
        std::exit(77);
    }
    const auto ops = load(*library);
    const auto handle = c10::Dispatcher::singleton().findSchema({ops + "::gemm", ""});
    REQUIRE(handle.has_value());
    CHECK(handle->hasKernelForDispatchKey(c10::DispatchKey::CPU));
    CHECK(handle->hasKernelForDispatchKey(c10::DispatchKey::Meta));
    CHECK_FALSE(handle->hasKernelForDispatchKey(c10::DispatchKey::CUDA));

    auto problem = make_problem();
    at::Tensor out = at::empty({kM, kN}, at::TensorOptions(at::kBFloat16));
    using Gemm = void(
        at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&);
    handle->typed<Gemm>().call(out,
                               view(problem.a, kM),
                               view(problem.b, kN),
                               view(problem.a_scale),
                               view(problem.b_scale));

    const auto* const got = out.const_data_ptr<at::BFloat16>();
    for (std::int64_t m = 0; m < kM; ++m) {
        for (std::int64_t n = 0; n < kN; ++n) {
            const double value = expected(problem, m, n);
            CAPTURE(m, n, value);
            // Half a step of bfloat16 (8 significant bits), and what float64 loses in another order
            // of summation.
            REQUIRE(std::abs(static_cast<double>(static_cast<float>(got[m * kN + n])) - value) <=
                    std::ldexp(std::abs(value), -8) + 1e-6);
        }
    }
}

TEST_CASE("arguments that do not fit are refused through the dispatcher too") {
    const auto library = find_library();
    if (!library) {
        WARN("SKIPPED: the example was not built: KBUILD_TEST_WORK");
        std::exit(77);
    }
    const auto handle =
        c10::Dispatcher::singleton().findSchemaOrThrow((load(*library) + "::gemm").c_str(), "");
    at::Tensor wrong = at::empty({4, 4}, at::TensorOptions(at::kFloat));
    using Gemm = void(
        at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&);
    CHECK_THROWS_WITH(handle.typed<Gemm>().call(wrong, wrong, wrong, wrong, wrong),
                      Catch::Contains("must be Float8_e4m3fnuz"));
}
