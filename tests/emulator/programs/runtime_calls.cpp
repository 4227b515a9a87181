#include "check.h"

// What programs do besides launching: symbols, pitched copies, streams, events, properties,
// occupancy and errors.

__device__ int counter;
__constant__ float factors[4];

__global__ void __launch_bounds__(256) scale(float* data, int count) {
    __shared__ float tile[256];
    const int i = static_cast<int>(blockIdx.x * 256 + threadIdx.x);
    tile[threadIdx.x] = i < count ? data[i] : 0.0f;
    __syncthreads();
    if (i < count)
        data[i] = tile[255 - (255 - threadIdx.x)] * factors[i % 4];
    if (threadIdx.x == 0)
        atomicAdd(&counter, 1);
}

void expect(bool holds, const char* what) {
    if (!holds) {
        std::printf("%s\n", what);
        ++failures;
    }
}

void symbols_and_streams() {
    const float host_factors[4] = {1.0f, 2.0f, 3.0f, 4.0f};
    CHECK_HIP(hipMemcpyToSymbol(HIP_SYMBOL(factors), host_factors, sizeof host_factors));
    const int zero = 0;
    CHECK_HIP(hipMemcpyToSymbol(HIP_SYMBOL(counter), &zero, sizeof zero));
    std::vector<float> in(1000, 1.5f);
    std::vector<float> want(in);
    for (std::size_t i = 0; i < want.size(); ++i)
        want[i] *= host_factors[i % 4];
    DeviceArray<float> data(in);
    hipStream_t stream;
    hipEvent_t start;
    hipEvent_t stop;
    CHECK_HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    CHECK_HIP(hipEventCreate(&start));
    CHECK_HIP(hipEventCreateWithFlags(&stop, hipEventDefault));
    CHECK_HIP(hipEventRecord(start, stream));
    hipLaunchKernelGGL(scale, dim3(4), dim3(256), 0, stream, data.data(), 1000);
    CHECK_HIP(hipGetLastError());
    CHECK_HIP(hipEventRecord(stop, stream));
    CHECK_HIP(hipStreamWaitEvent(nullptr, stop, 0));
    CHECK_HIP(hipEventSynchronize(stop));
    CHECK_HIP(hipStreamSynchronize(stream));
    float milliseconds = -1.0f;
    CHECK_HIP(hipEventElapsedTime(&milliseconds, start, stop));
    expect(milliseconds >= 0.0f, "time runs backwards");
    expect(hipStreamQuery(stream) == hipSuccess && hipEventQuery(stop) == hipSuccess,
           "something is still to be done");
    CHECK_HIP(hipEventDestroy(start));
    CHECK_HIP(hipEventDestroy(stop));
    CHECK_HIP(hipStreamDestroy(stream));
    expect_equal("scale", data.read(), want);
    int blocks = 0;
    CHECK_HIP(hipMemcpyFromSymbol(&blocks, HIP_SYMBOL(counter), sizeof blocks));
    expect(blocks == 4, "four work-groups count to four");
    void* address = nullptr;
    std::size_t size = 0;
    CHECK_HIP(hipGetSymbolAddress(&address, HIP_SYMBOL(factors)));
    CHECK_HIP(hipGetSymbolSize(&size, HIP_SYMBOL(factors)));
    expect(address != nullptr && size == sizeof host_factors, "the symbol's place and size");
}

void pitched_copies() {
    constexpr std::size_t width = 20;
    constexpr std::size_t height = 5;
    void* device = nullptr;
    std::size_t pitch = 0;
    CHECK_HIP(hipMallocPitch(&device, &pitch, width, height));
    expect(pitch >= width, "the pitch holds a row");
    std::vector<char> in(width * height);
    for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = static_cast<char>(i);
    std::vector<char> out(2 * width * height, 'x');
    CHECK_HIP(hipMemset2D(device, pitch, 0, width, height));
    CHECK_HIP(
        hipMemcpy2D(device, pitch, in.data(), width, width, height - 1, hipMemcpyHostToDevice));
    CHECK_HIP(hipMemcpy2DAsync(
        out.data(), 2 * width, device, pitch, width, height, hipMemcpyDeviceToHost, nullptr));
    CHECK_HIP(hipDeviceSynchronize());
    for (std::size_t row = 0; row < height; ++row)
        for (std::size_t i = 0; i < 2 * width; ++i) {
            const char want = i >= width ? 'x' : row == height - 1 ? '\0' : in[row * width + i];
            expect(out[row * 2 * width + i] == want, "a row of a pitched copy");
        }
    CHECK_HIP(hipFree(device));
}

void host_memory() {
    float* host = nullptr;
    float* mapped = nullptr;
    CHECK_HIP(
        hipHostMalloc(reinterpret_cast<void**>(&host), 1024 * sizeof(float), hipHostMallocDefault));
    CHECK_HIP(hipHostGetDevicePointer(reinterpret_cast<void**>(&mapped), host, 0));
    for (int i = 0; i < 1024; ++i)
        host[i] = 2.0f;
    scale<<<4, 256>>>(mapped, 1024);
    CHECK_HIP(hipDeviceSynchronize());
    expect(host[0] == 2.0f && host[1023] == 8.0f, "a kernel writes to host memory");
    hipPointerAttribute_t attributes{};
    CHECK_HIP(hipPointerGetAttributes(&attributes, host));
    expect(attributes.hostPointer == host, "host memory says that it is");
    CHECK_HIP(hipHostFree(host));
}

void properties_and_occupancy() {
    hipDeviceProp_t properties;
    CHECK_HIP(hipGetDeviceProperties(&properties, 0));
    expect(properties.warpSize == 64 && properties.multiProcessorCount == 304 &&
               properties.sharedMemPerBlock == 65536,
           "an MI300X's waves, compute units and LDS");
    expect(std::strncmp(properties.gcnArchName, "gfx942", 6) == 0, "an MI300X's architecture");
    hipFuncAttributes attributes{};
    CHECK_HIP(hipFuncGetAttributes(&attributes, reinterpret_cast<const void*>(&scale)));
    expect(attributes.maxThreadsPerBlock == 256 &&
               attributes.sharedSizeBytes == 256 * sizeof(float),
           "the kernel's attributes");
    hipFunction_t function;
    CHECK_HIP(hipGetFuncBySymbol(&function, reinterpret_cast<const void*>(&scale)));
    int threads = 0;
    CHECK_HIP(hipFuncGetAttribute(&threads, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
    expect(threads == 256, "one attribute by its number");
    int blocks = 0;
    CHECK_HIP(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 256, 0));
    expect(blocks >= 1 && blocks <= 8, "blocks in a compute unit");
    int with_lds = 0;
    CHECK_HIP(hipOccupancyMaxActiveBlocksPerMultiprocessor(&with_lds, scale, 256, 40000));
    expect(with_lds == 1, "LDS limits the blocks in a compute unit");
    int grid = 0;
    int block = 0;
    CHECK_HIP(hipOccupancyMaxPotentialBlockSize(&grid, &block, scale, 0, 0));
    expect(grid >= 304 && block >= 64 && block <= 256,
           "the best block is one that can be launched");
}

void errors() {
    DeviceArray<float> data(16);
    scale<<<1, 2048>>>(data.data(), 16);
    expect(hipPeekAtLastError() != hipSuccess, "a block of 2048 work-items is refused");
    expect(std::strlen(hipGetErrorString(hipGetLastError())) > 0, "an error has a text");
    expect(hipGetLastError() == hipSuccess, "an error is told once");
    expect(hipFree(reinterpret_cast<void*>(16)) != hipSuccess, "memory that is none is not freed");
    (void)hipGetLastError();
}

int main() {
    symbols_and_streams();
    pitched_copies();
    host_memory();
    properties_and_occupancy();
    errors();
    return finish();
}
