#include "kbuild/abi/tables.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using model::Version;

TEST_CASE("the limited API says which Python brought a name") {
    CHECK(abi::python_abi3().find("PyModule_Create2") == Version({3, 2}));
    CHECK(abi::python_abi3().find("PyObject_CallNoArgs") == Version({3, 10}));
    CHECK(abi::python_abi3().find("_Py_NoneStruct") == Version({3, 2}));
    CHECK_FALSE(abi::python_abi3().find("PyUnicode_AsUTF8"));
}

TEST_CASE("torch's stable interface says which torch brought a function") {
    CHECK(abi::torch_stable().find("torch_parallel_for") == Version({2, 10}));
    CHECK_FALSE(abi::torch_stable().find("aoti_torch_get_data_ptr"));
}

TEST_CASE("the standard library's modules are known") {
    CHECK(abi::python_modules().contains("ctypes"));
    CHECK(abi::python_modules().contains("__future__"));
    CHECK_FALSE(abi::python_modules().contains("numpy"));
}
