# Functions that turn the variables of kernel.cmake into targets. Foreign strings (paths, flags) come one a variable and go
# one by one into properties: a CMake list cannot carry every string.

# kernel_append_items(TARGET PROPERTY PREFIX VARIABLE): appends PREFIX and VARIABLE_0, VARIABLE_1, … to a property.
function(kernel_append_items target property prefix variable)
  foreach(number IN LISTS ${variable}_NUMBERS)
    string(REPLACE ";" "\\;" entry "${prefix}${${variable}_${number}}")
    string(REPLACE "$<" "$<1:$><" entry "${entry}")
    set_property(TARGET ${target} APPEND PROPERTY ${property} "${entry}")
  endforeach()
endfunction()

# kernel_add_component(COMPONENT OPS_NAME): the objects of one section of build.toml.
function(kernel_add_component component ops_name)
  add_library(${component} OBJECT)
  kernel_append_items(${component} SOURCES "${CMAKE_CURRENT_SOURCE_DIR}/" KERNEL_${component}_SOURCE)
  kernel_append_items(${component} INCLUDE_DIRECTORIES "${CMAKE_CURRENT_SOURCE_DIR}/" KERNEL_${component}_INCLUDE)
  target_include_directories(${component} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/torch-ext" "${CMAKE_CURRENT_SOURCE_DIR}/csrc")
  target_include_directories(${component} SYSTEM PRIVATE ${TORCH_INCLUDE_DIRS} "${PYTHON_INCLUDE_DIR}")
  target_compile_definitions(${component} PRIVATE TORCH_EXTENSION_NAME=${ops_name} Py_LIMITED_API=0x03090000)
  set(standard 20)
  if(TORCH_VERSION VERSION_LESS 2.12)
    set(standard 17)
  endif()
  set_target_properties(${component} PROPERTIES
    CXX_STANDARD ${standard} HIP_STANDARD ${standard} CXX_EXTENSIONS OFF HIP_EXTENSIONS OFF HIP_ARCHITECTURES OFF)
  if(KERNEL_STABLE_ABI_${KERNEL_BACKEND})
    target_compile_definitions(${component} PRIVATE TORCH_TARGET_VERSION=${KERNEL_STABLE_ABI_${KERNEL_BACKEND}})
  endif()
  if(KERNEL_BACKEND STREQUAL "rocm")
    target_compile_definitions(${component} PRIVATE USE_ROCM=1 ROCM_KERNEL __HIP_PLATFORM_AMD__=1)
    target_include_directories(${component} SYSTEM BEFORE PRIVATE "${ROCM_PATH}/include")
    foreach(arch IN LISTS KERNEL_${component}_ARCHS)
      target_compile_options(${component} PRIVATE "$<$<COMPILE_LANGUAGE:HIP>:--offload-arch=${arch}>")
    endforeach()
    set_property(TARGET ${component} APPEND PROPERTY
      COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:HIP>:${KERNEL_${component}_HIP_OPTIONS}>")
  else()
    target_compile_definitions(${component} PRIVATE CPU_KERNEL)
  endif()
  # Without it g++ makes process-wide unique statics, which two kernels in one process would share.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${component} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-gnu-unique>)
  endif()
  set_property(TARGET ${component} APPEND PROPERTY COMPILE_OPTIONS "${KERNEL_${component}_CXX_OPTIONS}")
endfunction()

# kernel_add_module(OPS_NAME): the Python extension of all components of the backend.
function(kernel_add_module ops_name)
  set(objects "")
  foreach(component IN LISTS KERNEL_COMPONENTS_${KERNEL_BACKEND})
    kernel_add_component(${component} "${ops_name}")
    list(APPEND objects "$<TARGET_OBJECTS:${component}>")
  endforeach()
  add_library(${ops_name} MODULE ${objects})
  set_target_properties(${ops_name} PROPERTIES
    LINKER_LANGUAGE CXX PREFIX "" SUFFIX ".abi3.so" LIBRARY_OUTPUT_DIRECTORY "${KERNEL_OUTPUT}")
  set(libraries torch_cpu c10)
  if(KERNEL_BACKEND STREQUAL "rocm")
    list(APPEND libraries torch_hip c10_hip)
    target_link_libraries(${ops_name} PRIVATE "${ROCM_PATH}/lib/libamdhip64.so")
  endif()
  foreach(library IN LISTS libraries)
    target_link_libraries(${ops_name} PRIVATE "${TORCH_LIBRARY_DIR}/lib${library}.so")
  endforeach()
  # What torch's own libraries need is found when they are loaded.
  target_link_options(${ops_name} PRIVATE "-Wl,--as-needed" "-Wl,--allow-shlib-undefined")
endfunction()

# kernel_add_package(OPS_NAME): _ops.py and the package's other files beside the library.
function(kernel_add_package ops_name)
  file(CONFIGURE OUTPUT "${KERNEL_OUTPUT}/_ops.py" @ONLY CONTENT [=[
# Written by CMake. How the package's Python code reaches the ops of its library.
import torch

from . import @ops_name@  # importing the library registers its ops

ops = torch.ops.@ops_name@


def add_op_namespace_prefix(op_name: str) -> str:
    """The full name of an op of this build, as `torch.library` wants it."""
    return "@ops_name@::" + op_name
]=])
  set(package "${CMAKE_CURRENT_SOURCE_DIR}/torch-ext/${KERNEL_MODULE}")
  cmake_path(COMPARE "${KERNEL_OUTPUT}" EQUAL "${package}" in_place)
  if(NOT in_place)
    file(GLOB_RECURSE files RELATIVE "${package}" "${package}/*")
    list(FILTER files INCLUDE REGEX "${KERNEL_SHIPPED}")
    list(FILTER files EXCLUDE REGEX "^_ops\\.py$")
    foreach(file IN LISTS files)
      configure_file("${package}/${file}" "${KERNEL_OUTPUT}/${file}" COPYONLY)
    endforeach()
  endif()
endfunction()
