# Finds torch, Python's headers and ROCm. Neither torch is imported nor its CMake package used: that one wants half of
# ROCm. Each variable can be given with -D.

find_package(Python3 COMPONENTS Interpreter REQUIRED)
set(query [=[
import importlib.util, pathlib, re, sys, sysconfig
root = sys.argv[1] or next(iter(getattr(importlib.util.find_spec("torch"), "submodule_search_locations", None) or [""]))
file = pathlib.Path(root, "version.py")
text = file.read_text() if root and file.exists() else ""
def value(name):
    found = re.search(r"^" + name + r"\b[^=]*= *'([^']*)'", text, re.MULTILINE)
    return found.group(1) if found else ""
print(root, value("__version__"), value("hip"), sysconfig.get_path("include"), sep="\n", end="")
]=])
set(TORCH_ROOT "" CACHE PATH "The folder torch of an installed or unpacked wheel; empty: that of Python")
execute_process(COMMAND "${Python3_EXECUTABLE}" -c "${query}" "${TORCH_ROOT}"
                OUTPUT_VARIABLE answer COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCH "^([^\n]*)\n([^\n]*)\n([^\n]*)\n([^\n]*)$" _ "${answer}")
set(root "${CMAKE_MATCH_1}")
set(python_include "${CMAKE_MATCH_4}")
set(hip_version "${CMAKE_MATCH_3}")
string(REGEX REPLACE "[+].*" "" version "${CMAKE_MATCH_2}")

set(TORCH_VERSION "${version}" CACHE STRING "Version of torch")
set(TORCH_INCLUDE_DIRS "${root}/include;${root}/include/torch/csrc/api/include" CACHE STRING "Torch's headers")
set(TORCH_LIBRARY_DIR "${root}/lib" CACHE PATH "Torch's libraries")
set(PYTHON_INCLUDE_DIR "${python_include}" CACHE PATH "The folder of Python.h")
if(NOT TORCH_VERSION)
  message(FATAL_ERROR "${Python3_EXECUTABLE} has no torch; give -DPython3_EXECUTABLE=… or -DTORCH_ROOT=…")
endif()
if((KERNEL_TORCH_MIN AND TORCH_VERSION VERSION_LESS KERNEL_TORCH_MIN)
   OR (KERNEL_TORCH_BELOW AND TORCH_VERSION VERSION_GREATER_EQUAL KERNEL_TORCH_BELOW))
  message(FATAL_ERROR "torch ${TORCH_VERSION} is outside of the bounds in build.toml")
endif()

if(hip_version)
  set(default_backend rocm)
else()
  set(default_backend cpu)
endif()
set(KERNEL_BACKEND "${default_backend}" CACHE STRING "cpu or rocm; default: what torch is built for")
if(NOT KERNEL_BACKEND IN_LIST KERNEL_BACKENDS)
  message(FATAL_ERROR "the kernel is not for ${KERNEL_BACKEND}, but for: ${KERNEL_BACKENDS}")
endif()

if(KERNEL_BACKEND STREQUAL "rocm")
  set(default_rocm /opt/rocm)
  if(DEFINED ENV{ROCM_PATH})
    set(default_rocm "$ENV{ROCM_PATH}")
  endif()
  set(ROCM_PATH "${default_rocm}" CACHE PATH "Prefix of ROCm")
  set(CMAKE_HIP_COMPILER_ROCM_ROOT "${ROCM_PATH}")
  # CMake's check of the compiler passes no --rocm-path.
  set(ENV{ROCM_PATH} "${ROCM_PATH}")
  if(NOT CMAKE_HIP_COMPILER)
    set(CMAKE_HIP_COMPILER "${ROCM_PATH}/llvm/bin/clang++")
  endif()
  # For CMake's check of the compiler; each kernel names its own.
  set(CMAKE_HIP_ARCHITECTURES gfx942)
endif()
message(STATUS "torch ${TORCH_VERSION}, backend ${KERNEL_BACKEND}")
