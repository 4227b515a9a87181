# What CMake's HIP language wants to know of a ROCm prefix; this file lies in lib/cmake/hip-lang of it.
get_filename_component(_hip_lang_root "${CMAKE_CURRENT_LIST_DIR}/../../.." REALPATH)
if(NOT TARGET hip-lang::device)
  add_library(hip-lang::amdhip64 SHARED IMPORTED)
  set_target_properties(hip-lang::amdhip64 PROPERTIES
    IMPORTED_LOCATION "${_hip_lang_root}/lib/libamdhip64.so")

  add_library(hip-lang::host INTERFACE IMPORTED)
  set_target_properties(hip-lang::host PROPERTIES
    INTERFACE_LINK_LIBRARIES hip-lang::amdhip64)

  # The include folder is an option: as INTERFACE_INCLUDE_DIRECTORIES CMake would drop it as implicit, and what
  # clang adds by itself comes after /usr/include, where another HIP may be.
  add_library(hip-lang::device INTERFACE IMPORTED)
  set_target_properties(hip-lang::device PROPERTIES
    INTERFACE_LINK_LIBRARIES hip-lang::host
    INTERFACE_COMPILE_DEFINITIONS "$<$<COMPILE_LANGUAGE:HIP>:__HIP_ROCclr__=1>"
    INTERFACE_COMPILE_OPTIONS
      "$<$<COMPILE_LANGUAGE:HIP>:SHELL:-isystem \"${_hip_lang_root}/include\" \"--rocm-path=${_hip_lang_root}\">"
    INTERFACE_LINK_OPTIONS
      "$<$<LINK_LANGUAGE:HIP>:-L${_hip_lang_root}/lib;--hip-link;--rocm-path=${_hip_lang_root}>")
endif()
set(_CMAKE_HIP_DEVICE_RUNTIME_TARGET "hip-lang::device")
