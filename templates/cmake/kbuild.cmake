# Functions that turn the variables of data.cmake into targets. Foreign strings (paths, flags) come one a variable and go
# one by one into properties: a CMake list cannot carry every string.

# kbuild_use_hip_command(): lets hipcc, amdclang++ or the script for a pass compile HIP. CMake refuses hipcc as
# CMAKE_HIP_COMPILER, so clang++ stays the compiler that CMake checks, and only the compile rule is replaced.
macro(kbuild_use_hip_command)
  if(KBUILD_HIP_COMMAND)
    set(CMAKE_HIP_COMPILE_OBJECT
        "${KBUILD_HIP_COMMAND} <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT> -x hip -c <SOURCE>")
  endif()
endmacro()

# kbuild_append_items(TARGET PROPERTY VARIABLE): appends VARIABLE_0, VARIABLE_1, … to a property of a target, so that
# CMake sees neither a second item in one (`;`) nor a generator expression (`$<`).
function(kbuild_append_items target property variable)
  foreach(number IN LISTS ${variable}_NUMBERS)
    string(REPLACE ";" "\\;" entry "${${variable}_${number}}")
    string(REPLACE "$<" "$<1:$><" entry "${entry}")
    set_property(TARGET ${target} APPEND PROPERTY ${property} "${entry}")
  endforeach()
endfunction()

# kbuild_use_launcher(LANGUAGES...): runs the compilers through KBUILD_LAUNCHER. CMAKE_<LANG>_COMPILER_LAUNCHER is a list, which
# cannot hold every path.
macro(kbuild_use_launcher)
  foreach(language IN ITEMS ${ARGN})
    if(KBUILD_LAUNCHER)
      string(REPLACE "<CMAKE_${language}_COMPILER>" "${KBUILD_LAUNCHER} <CMAKE_${language}_COMPILER>"
             CMAKE_${language}_COMPILE_OBJECT "${CMAKE_${language}_COMPILE_OBJECT}")
    endif()
  endforeach()
endmacro()

# kbuild_name_dependency_files(LANGUAGES...): CMake 3.25 quotes the name of a dependency file with `(`, `~`, `'` or the like in it
# as for a shell, and Ninja, which opens it, then finds none. kbuild takes the quotes away behind CMake, so commands must not use
# that name.
macro(kbuild_name_dependency_files)
  foreach(language IN ITEMS ${ARGN})
    set(CMAKE_DEPFILE_FLAGS_${language} "-MD -MT $out -MF $out.d")
  endforeach()
endmacro()

# kbuild_add_library(NAME): the objects of KBUILD_<NAME>_SOURCE_…; in a ROCm tree as an archive, which the host tree links
# whole. HIP_ARCHITECTURES is off because each source names its archs itself (kernels may differ in them).
function(kbuild_add_library name)
  if("HIP" IN_LIST KBUILD_LANGUAGES)
    add_library(${name} STATIC)
  else()
    add_library(${name} OBJECT)
  endif()
  set_target_properties(${name} PROPERTIES
    HIP_ARCHITECTURES OFF ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}")
  set_property(TARGET ${name} PROPERTY COMPILE_OPTIONS "${KBUILD_${name}_OPTIONS}")
  kbuild_append_items(${name} SOURCES KBUILD_${name}_SOURCE)
  foreach(number IN LISTS KBUILD_${name}_SOURCE_NUMBERS)
    set(source "${KBUILD_${name}_SOURCE_${number}}")
    set_property(SOURCE "${source}" PROPERTY COMPILE_FLAGS "${KBUILD_${name}_SOURCE_FLAGS_${number}}")
    if(source MATCHES "\\.(hip|cu)$")
      set_property(SOURCE "${source}" PROPERTY LANGUAGE HIP)
    endif()
    # Joined by a step of the Ninja file over all trees; the name is the one that CMake gives a file of this folder.
    if(KBUILD_${name}_SOURCE_BUNDLE_${number})
      set_property(SOURCE "${source}" PROPERTY OBJECT_DEPENDS "${KBUILD_${name}_SOURCE_BUNDLE_${number}}")
    endif()
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
    CXX_LINKER_LAUNCHER "${KBUILD_LINK_LAUNCHER}"
    LINK_DEPENDS "${KBUILD_${name}_LINK_DEPENDS}")
  set_property(TARGET ${name} PROPERTY LINK_OPTIONS "${KBUILD_${name}_LINK_OPTIONS}")
  # Numbers start at 0, and a variable that holds only that is false.
  if(NOT "${KBUILD_${name}_ARCHIVE_NUMBERS}" STREQUAL "")
    set_property(TARGET ${name} APPEND PROPERTY LINK_LIBRARIES "-Wl,--whole-archive")
    kbuild_append_items(${name} LINK_LIBRARIES KBUILD_${name}_ARCHIVE)
    set_property(TARGET ${name} APPEND PROPERTY LINK_LIBRARIES "-Wl,--no-whole-archive")
  endif()
  # The C++ library first: libtorch_cpu exports copies of some of its names.
  set_property(TARGET ${name} APPEND PROPERTY LINK_LIBRARIES "-Wl,--as-needed" "stdc++")
  kbuild_append_items(${name} LINK_LIBRARIES KBUILD_${name}_LINK_FILE)
endfunction()
