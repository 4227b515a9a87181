#include "hip/runtime.hpp"

// A program that was linked against the real library starts only if all names that it uses are
// there. These say once that they do nothing.
#define KBUILD_HIP_UNSUPPORTED(name)                                                               \
    KBUILD_HIP hipError_t name() {                                                                 \
        return kbuild::emulator::hip::not_supported(#name);                                        \
    }
#include "hip/unsupported_names.inc"

// These return a text.
#define KBUILD_HIP_TEXT(name)                                                                      \
    KBUILD_HIP const char* name() {                                                                \
        kbuild::emulator::hip::not_supported(#name);                                               \
        return "";                                                                                 \
    }
KBUILD_HIP_TEXT(hipApiName)
KBUILD_HIP_TEXT(hipGetCmdName)
KBUILD_HIP_TEXT(hipKernelNameRef)
KBUILD_HIP_TEXT(hipKernelNameRefByPtr)
