// Little of torch, so that it compiles in seconds: a device, a scalar type, the limited Python API.
#define Py_LIMITED_API 0x03090000
#include <Python.h>

#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

#include <string>

std::string describe(const std::string& text) {
    return c10::Device(text).str();
}
