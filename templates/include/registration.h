#pragma once

// Registration of operators and of the Python module of a torch extension, under a name that is only known when
// it is built: TORCH_EXTENSION_NAME. Only Python's limited API is used.

#include <Python.h>

// torch's own macros paste their argument unexpanded; these expand it first.
#define TORCH_LIBRARY_EXPAND(NAME, MODULE) TORCH_LIBRARY(NAME, MODULE)
#define TORCH_LIBRARY_IMPL_EXPAND(NAME, DEVICE, MODULE) TORCH_LIBRARY_IMPL(NAME, DEVICE, MODULE)
#define STABLE_TORCH_LIBRARY_EXPAND(NAME, MODULE) STABLE_TORCH_LIBRARY(NAME, MODULE)
#define STABLE_TORCH_LIBRARY_IMPL_EXPAND(NAME, DEVICE, MODULE) \
    STABLE_TORCH_LIBRARY_IMPL(NAME, DEVICE, MODULE)

#define KBUILD_PASTE_(A, B) A##B
#define KBUILD_PASTE(A, B) KBUILD_PASTE_(A, B)
#define KBUILD_TEXT_(A) #A
#define KBUILD_TEXT(A) KBUILD_TEXT_(A)

// Defines PyInit_<NAME>: an empty module. Importing it loads the library, and with that runs the registrars.
#define REGISTER_EXTENSION(NAME)                                                                  \
    PyMODINIT_FUNC KBUILD_PASTE(PyInit_, NAME)(void) {                                            \
        static struct PyModuleDef definition = {                                                  \
            PyModuleDef_HEAD_INIT, KBUILD_TEXT(NAME), nullptr, 0, nullptr,                        \
            nullptr,               nullptr,           nullptr, nullptr};                          \
        return PyModule_Create(&definition);                                                      \
    }
