#include "check.h"

#include <fstream>
#include <iterator>

// modules FILE: a kernel `twice` of a code object, loaded from memory and launched by name.

int main(int count, char** arguments) {
    if (count < 2)
        return 2;
    std::ifstream file(arguments[1], std::ios::binary);
    const std::vector<char> image((std::istreambuf_iterator<char>(file)),
                                  std::istreambuf_iterator<char>());
    hipModule_t module;
    hipFunction_t function;
    CHECK_HIP(hipModuleLoadData(&module, image.data()));
    CHECK_HIP(hipModuleGetFunction(&function, module, "twice"));
    std::vector<int> in = {1, 2, 3, 4};
    DeviceArray<int> data(in);
    int* pointer = data.data();
    int size = 4;
    void* list[] = {&pointer, &size};
    CHECK_HIP(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, list, nullptr));
    expect_equal("twice", data.read(), std::vector<int>{2, 4, 6, 8});
    CHECK_HIP(hipModuleUnload(module));
    return finish();
}
