# kbuild_link_on_demand(TARGET PACKAGE PREFIX)
#
# Lets TARGET (a static library) use the pkg-config package PACKAGE, whose functions all start with PREFIX, without the
# executable naming its shared library as needed: the library is loaded by the first call into it. libcurl, libgit2 and
# libarchive bring 30 more libraries between them, and the commands that people run all day need none of these.
# Off (KBUILD_ON_DEMAND), or on processors for which there are no trampolines, the library is linked as usual.
include_guard()
set(KBUILD_ON_DEMAND_FOLDER "${CMAKE_CURRENT_LIST_DIR}/on_demand")
option(KBUILD_ON_DEMAND "load the libraries of the Hub commands when they are first used" ON)
if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  set(KBUILD_ON_DEMAND OFF)
endif()

function(kbuild_soname file result)
  execute_process(COMMAND "${CMAKE_OBJDUMP}" -p "${file}" OUTPUT_VARIABLE headers COMMAND_ERROR_IS_FATAL ANY)
  if(NOT headers MATCHES "SONAME +([^\n]+)")
    message(FATAL_ERROR "${file} has no SONAME")
  endif()
  set(${result} "${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()

function(kbuild_link_on_demand target package prefix)
  if(NOT KBUILD_ON_DEMAND)
    target_link_libraries(${target} PRIVATE PkgConfig::${package})
    return()
  endif()
  list(GET ${package}_LINK_LIBRARIES 0 library)
  kbuild_soname("${library}" soname)
  set_property(GLOBAL APPEND PROPERTY KBUILD_ON_DEMAND_LIBRARIES "${library}")
  set(trampolines "${CMAKE_CURRENT_BINARY_DIR}/${package}.S")
  add_custom_command(
    OUTPUT "${trampolines}"
    COMMAND "${CMAKE_COMMAND}" "-DNM=${CMAKE_NM}" "-DARCHIVE=$<TARGET_FILE:${target}>" "-DPREFIX=${prefix}"
            "-DSONAME=${soname}" "-DOUTPUT=${trampolines}" -P "${KBUILD_ON_DEMAND_FOLDER}/trampolines.cmake"
    DEPENDS ${target} "${KBUILD_ON_DEMAND_FOLDER}/trampolines.cmake"
    COMMENT "Trampolines into ${soname}"
    VERBATIM)
  add_library(${target}_on_demand STATIC "${trampolines}" "${KBUILD_ON_DEMAND_FOLDER}/resolve.cpp")
  target_link_libraries(${target}_on_demand PRIVATE kbuild_warnings ${CMAKE_DL_LIBS})
  target_include_directories(${target} SYSTEM PRIVATE ${${package}_INCLUDE_DIRS})
  target_link_libraries(${target} INTERFACE ${target}_on_demand)
endfunction()
