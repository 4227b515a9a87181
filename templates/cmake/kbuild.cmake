# Functions that turn the variables of data.cmake into targets.

# kbuild_use_hip_driver(): lets hipcc (or amdclang++) compile HIP. CMake refuses hipcc as CMAKE_HIP_COMPILER,
# so clang++ stays the compiler that CMake checks, and only the compile rule is replaced.
macro(kbuild_use_hip_driver)
  if(KBUILD_HIP_DRIVER)
    set(kbuild_environment "")
    foreach(variable IN LISTS KBUILD_HIP_DRIVER_ENVIRONMENT)
      string(APPEND kbuild_environment " \"${variable}\"")
    endforeach()
    set(CMAKE_HIP_COMPILE_OBJECT
        "env${kbuild_environment} \"${KBUILD_HIP_DRIVER}\" <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT> -x hip -c <SOURCE>")
  endif()
endmacro()

# kbuild_add_library(NAME): the objects of KBUILD_<NAME>_SOURCES; in a ROCm tree as an archive, which the host tree links
# whole. HIP_ARCHITECTURES is off because each source names its archs itself (kernels may differ in them).
function(kbuild_add_library name)
  set(sources "${KBUILD_${name}_SOURCES}")
  if("HIP" IN_LIST KBUILD_LANGUAGES)
    add_library(${name} STATIC ${sources})
  else()
    add_library(${name} OBJECT ${sources})
  endif()
  set_target_properties(${name} PROPERTIES HIP_ARCHITECTURES OFF)
  target_compile_definitions(${name} PRIVATE ${KBUILD_${name}_DEFINITIONS})
  target_include_directories(${name} PRIVATE ${KBUILD_${name}_INCLUDES})
  foreach(folder IN LISTS KBUILD_${name}_SYSTEM_INCLUDES)
    target_compile_options(${name} PRIVATE "SHELL:-isystem \"${folder}\"")
  endforeach()
  target_compile_options(${name} PRIVATE ${KBUILD_${name}_OPTIONS})
  set(index 0)
  foreach(source IN LISTS sources)
    set_source_files_properties("${source}" PROPERTIES
      COMPILE_OPTIONS "${KBUILD_${name}_SOURCE_${index}_OPTIONS}")
    if(source MATCHES "\\.(hip|cu)$")
      set_source_files_properties("${source}" PROPERTIES LANGUAGE HIP)
    endif()
    math(EXPR index "${index} + 1")
  endforeach()
endfunction()

# kbuild_add_module(NAME): a Python extension of whole libraries and archives; the registrars in them have no caller, so
# the linker would drop them otherwise.
function(kbuild_add_module name)
  set(objects "")
  foreach(library IN LISTS KBUILD_${name}_LIBRARIES)
    list(APPEND objects "$<TARGET_OBJECTS:${library}>")
  endforeach()
  add_library(${name} MODULE ${objects})
  set_target_properties(${name} PROPERTIES
    LINKER_LANGUAGE CXX PREFIX "" SUFFIX ".so" OUTPUT_NAME "${KBUILD_${name}_OUTPUT_NAME}"
    LIBRARY_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/${name}"
    LINK_DEPENDS "${KBUILD_${name}_ARCHIVES};${KBUILD_${name}_LINK_FILES}")
  target_link_options(${name} PRIVATE ${KBUILD_${name}_LINK_OPTIONS})
  if(KBUILD_${name}_ARCHIVES)
    target_link_libraries(${name} PRIVATE
      "-Wl,--whole-archive" ${KBUILD_${name}_ARCHIVES} "-Wl,--no-whole-archive")
  endif()
  target_link_libraries(${name} PRIVATE "-Wl,--as-needed" ${KBUILD_${name}_LINK_FILES})
endfunction()
