// faults NAME: a kernel with one fault, each of a kind that a check is for. Exit code 2: no such
// fault.

#include <cstdio>
#include <cstring>
#include <hip/hip_runtime.h>

__device__ void put(int* to, int value) {
    *to = value; // over
}

__global__ void over(int* data) {
    put(data + threadIdx.x + 1, 3);
}

__global__ void plain(int* data) {
    data[threadIdx.x] = 1; // freed
}

__global__ void unset_branch(int* data) {
    if (data[threadIdx.x] == 7) // unset_branch
        data[threadIdx.x + 64] = 1;
}

__global__ void unset_lds(int* data) {
    __shared__ int values[128];
    values[threadIdx.x] = 1;
    __syncthreads();
    data[threadIdx.x % 64] = values[127 - threadIdx.x % 64]; // unset_lds
}

__global__ void race(int* data) {
    __shared__ int values[128];
    values[threadIdx.x] = static_cast<int>(threadIdx.x);
    data[threadIdx.x % 64] = values[127 - threadIdx.x]; // race
}

__global__ void misaligned(int* data) {
    __shared__ char bytes[1024];
    for (int i = 0; i < 16; ++i)
        bytes[threadIdx.x * 16 + static_cast<unsigned>(i)] = 1;
    __syncthreads();
    unsigned value;
    const unsigned place = threadIdx.x * 4 + 2;
    asm volatile("ds_read_b32 %0, %1" : "=v"(value) : "v"(place)); // misaligned
    asm volatile("s_waitcnt lgkmcnt(0)" : "+v"(value));
    data[threadIdx.x] = static_cast<int>(value) + bytes[1023 - threadIdx.x];
}

__global__ void outside_lds(int* data) {
    __shared__ int values[64];
    values[threadIdx.x] = 1;
    asm volatile("ds_write_b32 %0, %1" ::"v"(threadIdx.x * 4 + 200), "v"(1)); // outside_lds
    __syncthreads();
    data[threadIdx.x] = values[63 - threadIdx.x];
}

__global__ void barrier(int* data) {
    if (threadIdx.x < 64) {
        asm volatile("s_barrier");
        data[threadIdx.x] = 1;
    } else {
        asm volatile("s_barrier\n\ts_nop 1"); // barrier
        data[threadIdx.x % 64] = 2;
    }
}

__global__ void endless(int* data) {
    __shared__ volatile int flag;
    flag = 0;
    while (flag == 0) { // endless
    }
    data[threadIdx.x] = 1;
}

__global__ void unknown(int* data) {
    asm volatile("s_sethalt 1"); // unknown
    data[threadIdx.x] = 1;
}

struct Fault {
    const char* name;
    void (*kernel)(int*);
    int threads;
    bool set; // the memory, beforehand
    bool freed;
};

const Fault kFaults[] = {
    {"over", over, 64, true, false},
    {"freed", plain, 64, true, true},
    {"unset_branch", unset_branch, 64, false, false},
    {"unset_lds", unset_lds, 64, true, false},
    {"race", race, 128, true, false},
    {"misaligned", misaligned, 64, true, false},
    {"outside_lds", outside_lds, 64, true, false},
    {"barrier", barrier, 128, true, false},
    {"endless", endless, 64, true, false},
    {"unknown", unknown, 64, true, false},
};

int main(int count, char** arguments) {
    for (const Fault& fault : kFaults) {
        if (count != 2 || std::strcmp(fault.name, arguments[1]) != 0)
            continue;
        int* data = nullptr;
        const std::size_t bytes = (fault.set ? 64 : 128) * sizeof(int);
        if (hipMalloc(reinterpret_cast<void**>(&data), bytes) != hipSuccess)
            return 1;
        if (fault.set && hipMemset(data, 0, bytes) != hipSuccess)
            return 1;
        if (fault.freed && hipFree(data) != hipSuccess)
            return 1;
        fault.kernel<<<1, static_cast<unsigned>(fault.threads)>>>(data);
        std::printf("launch: %s\n", hipGetErrorString(hipGetLastError()));
        (void)hipDeviceSynchronize();
        return 0;
    }
    return 2;
}
