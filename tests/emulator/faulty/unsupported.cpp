#include <hip/hip_runtime.h>

// Asks three times for what the stand-in does not implement.

int main() {
    hipGraph_t graph = nullptr;
    const bool refused = hipGraphCreate(&graph, 0) == hipErrorNotSupported &&
                         hipGraphCreate(&graph, 0) == hipErrorNotSupported;
    return refused &&
                   hipDeviceSetSharedMemConfig(hipSharedMemBankSizeDefault) == hipErrorNotSupported
               ? 0
               : 1;
}
