// What the trampolines of cmake/LoadOnDemand.cmake call.
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace {

/// A library that the package depends on is gone: product.md's exit code for what the machine
/// lacks.
[[noreturn]] void refuse(const char* library) {
    constexpr int kMachineLacks = 5;
    std::fprintf(stderr,
                 "error: `%s`, which this command needs, cannot be loaded: %s\n",
                 library,
                 ::dlerror());
    std::fflush(stderr);
    std::_Exit(kMachineLacks);
}

} // namespace

/// The address of the function `name` of `library`, which stays loaded. May be called by several
/// threads at once: dlopen counts, and all get the same address.
extern "C" __attribute__((visibility("hidden"))) void* kbuild_resolve_on_demand(const char* library,
                                                                                const char* name);

extern "C" void* kbuild_resolve_on_demand(const char* library, const char* name) {
    void* const handle = ::dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    if (handle == nullptr)
        refuse(library);
    void* const address = ::dlsym(handle, name);
    if (address == nullptr)
        refuse(library);
    return address;
}
