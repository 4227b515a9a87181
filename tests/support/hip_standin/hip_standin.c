// A stand-in for libamdhip64, for tests only: a ROCm extension can be loaded against it and its
// launches can be seen.
//
// Where KBUILD_HIP_STANDIN_LOG names a file, hipLaunchKernel appends one JSON object per launch to
// it and succeeds (nothing is computed). Otherwise, and from every other function that could do
// something, the answer is hipErrorNoDevice. make_hip_standin.py adds the names that are not
// written here.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SUCCESS = 0, INVALID_VALUE = 1, INVALID_DEVICE_FUNCTION = 98, NO_DEVICE = 100 };

typedef struct {
    uint32_t x, y, z;
} Dim3;

typedef struct {
    const void* host; // the address that <<<>>> and hipLaunchKernel name a kernel by
    const char* name; // its mangled name in the code object
} Kernel;

typedef struct {
    Dim3 grid, block;
    size_t lds;
    void* stream;
} Launch;

enum { MAX_KERNELS = 4096 };
static Kernel kernels[MAX_KERNELS];
static int kernel_count;
static _Thread_local Launch pushed;
static _Thread_local int last_error;

static int fail(int error) {
    last_error = error;
    return error;
}

void** __hipRegisterFatBinary(const void* wrapper) {
    (void)wrapper;
    static void* handle;
    return &handle;
}

void __hipUnregisterFatBinary(void** handle) {
    (void)handle;
}

void __hipRegisterFunction(void** handle,
                           const void* host,
                           const char* device_function,
                           const char* name) {
    (void)handle;
    (void)device_function;
    if (kernel_count == MAX_KERNELS) {
        fputs("hip_standin: too many kernels\n", stderr);
        abort();
    }
    kernels[kernel_count++] = (Kernel){host, name};
}

void __hipRegisterVar(void) {}
void __hipRegisterManagedVar(void) {}
void __hipRegisterSurface(void) {}
void __hipRegisterTexture(void) {}

int __hipPushCallConfiguration(Dim3 grid, Dim3 block, size_t lds, void* stream) {
    pushed = (Launch){grid, block, lds, stream};
    return SUCCESS;
}

int __hipPopCallConfiguration(Dim3* grid, Dim3* block, size_t* lds, void** stream) {
    *grid = pushed.grid;
    *block = pushed.block;
    *lds = pushed.lds;
    *stream = pushed.stream;
    return SUCCESS;
}

static const char* name_of(const void* host) {
    for (int i = 0; i < kernel_count; ++i) {
        if (kernels[i].host == host) {
            return kernels[i].name;
        }
    }
    return NULL;
}

int hipLaunchKernel(
    const void* host, Dim3 grid, Dim3 block, void** arguments, size_t lds, void* stream) {
    (void)arguments;
    const char* const path = getenv("KBUILD_HIP_STANDIN_LOG");
    if (path == NULL) {
        return fail(NO_DEVICE);
    }
    const char* const name = name_of(host);
    if (name == NULL) {
        return fail(INVALID_DEVICE_FUNCTION);
    }
    FILE* const log = fopen(path, "a");
    if (log == NULL) {
        return fail(INVALID_VALUE);
    }
    fprintf(log,
            "{\"kernel\": \"%s\", \"grid\": [%u, %u, %u], \"block\": [%u, %u, %u], \"lds\": %zu, "
            "\"stream\": \"%p\"}\n",
            name,
            grid.x,
            grid.y,
            grid.z,
            block.x,
            block.y,
            block.z,
            lds,
            stream);
    fclose(log);
    return SUCCESS;
}

int hipFuncSetAttribute(const void* host, int attribute, int value) {
    (void)attribute;
    (void)value;
    return name_of(host) != NULL ? SUCCESS : fail(INVALID_DEVICE_FUNCTION);
}

int hipGetLastError(void) {
    const int error = last_error;
    last_error = SUCCESS;
    return error;
}

int hipPeekAtLastError(void) {
    return last_error;
}

int hipGetDeviceCount(int* count) {
    *count = 0;
    return fail(NO_DEVICE);
}

const char* hipGetErrorName(int error) {
    switch (error) {
    case SUCCESS:
        return "hipSuccess";
    case INVALID_VALUE:
        return "hipErrorInvalidValue";
    case INVALID_DEVICE_FUNCTION:
        return "hipErrorInvalidDeviceFunction";
    case NO_DEVICE:
        return "hipErrorNoDevice";
    default:
        return "hipErrorUnknown";
    }
}

const char* hipGetErrorString(int error) {
    switch (error) {
    case SUCCESS:
        return "no error (stand-in)";
    case INVALID_VALUE:
        return "invalid argument (stand-in)";
    case INVALID_DEVICE_FUNCTION:
        return "invalid device function (stand-in)";
    case NO_DEVICE:
        return "no ROCm-capable device is detected (stand-in)";
    default:
        return "unknown error (stand-in)";
    }
}
