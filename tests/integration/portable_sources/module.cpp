// The Python side of each project of test_portable.py: a module whose import runs the project's
// checks, and which can throw into, and catch from, another such module.
#include "checks.h"
#include "registration.h"

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Thrower = void (*)(int);

/// Throws what the C++ library throws from its own code, and what this library's hidden copy of
/// newer parts throws.
void throw_something(int kind) {
    if (kind == 0)
        (void)std::filesystem::file_size("/no/such/file");
    if (kind == 1)
        (void)std::vector<int>().at(3);
    if (kind == 2)
        throw std::runtime_error("own");
    throw kind;
}

std::string caught_from(Thrower thrower, int kind) {
    try {
        thrower(kind);
    } catch (const std::filesystem::filesystem_error& error) {
        return error.path1() == "/no/such/file" &&
                       error.code() == std::errc::no_such_file_or_directory
                   ? "filesystem"
                   : "wrong";
    } catch (const std::out_of_range&) {
        return "out_of_range";
    } catch (const std::exception& error) {
        return error.what();
    } catch (int number) {
        return std::to_string(number);
    }
    return "nothing";
}

PyObject* thrower(PyObject*, PyObject*) {
    return PyCapsule_New(reinterpret_cast<void*>(&throw_something), "thrower", nullptr);
}

/// catch_from(capsule, kind): what was caught; and the count of exceptions in flight must be right
/// afterwards.
PyObject* catch_from(PyObject*, PyObject* arguments) {
    PyObject* const capsule = PyTuple_GetItem(arguments, 0);
    const long kind = PyLong_AsLong(PyTuple_GetItem(arguments, 1));
    const auto other = reinterpret_cast<Thrower>(PyCapsule_GetPointer(capsule, "thrower"));
    auto text = caught_from(other, static_cast<int>(kind));
    if (std::uncaught_exceptions() != 0)
        text += ", and the count of exceptions is wrong";
    return PyUnicode_FromString(text.c_str());
}

PyMethodDef methods[] = {{"thrower", thrower, METH_NOARGS, nullptr},
                         {"catch_from", catch_from, METH_VARARGS, nullptr},
                         {nullptr, nullptr, 0, nullptr}};
PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "portable", nullptr, -1, methods, nullptr, nullptr, nullptr, nullptr};

} // namespace

PyMODINIT_FUNC KBUILD_PASTE(PyInit_, TORCH_EXTENSION_NAME)() {
    try {
        run_checks();
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_ImportError, error.what());
        return nullptr;
    }
    return PyModule_Create(&definition);
}
