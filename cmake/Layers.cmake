# Which domain may see which. One static library per domain; its include path holds the public headers
# of these domains and nothing else, so an include against the direction of the arrows does not compile.
# Rows are transitively closed: a domain's headers may include those of the domains in its row.
set(KBUILD_LAYER_support "")
set(KBUILD_LAYER_step "")
set(KBUILD_LAYER_diag support)
set(KBUILD_LAYER_model support)
set(KBUILD_LAYER_git support)
set(KBUILD_LAYER_elf support)
set(KBUILD_LAYER_http support)
set(KBUILD_LAYER_hub http support)
set(KBUILD_LAYER_process diag support)
set(KBUILD_LAYER_precompile process diag support)
set(KBUILD_LAYER_config model diag support)
set(KBUILD_LAYER_abi model support)
set(KBUILD_LAYER_sources diag support)
set(KBUILD_LAYER_toolchain process elf model diag support)
set(KBUILD_LAYER_testbed toolchain process elf model diag support)
set(KBUILD_LAYER_layout model diag support)
set(KBUILD_LAYER_inspect elf model diag support)
set(KBUILD_LAYER_emulator inspect elf model diag support)
set(KBUILD_LAYER_ui diag support)
set(KBUILD_LAYER_matrix config model diag support)
set(KBUILD_LAYER_check matrix config sources model diag support)
set(KBUILD_LAYER_generate layout config model diag support)
set(KBUILD_LAYER_portable toolchain abi process elf model diag support)
set(KBUILD_LAYER_verify abi sources layout inspect elf model diag support)
set(KBUILD_LAYER_audit verify abi sources layout inspect elf model diag support)
set(KBUILD_LAYER_publish hub http git verify abi sources layout inspect elf config model diag support)
set(KBUILD_LAYER_build step verify precompile portable abi matrix generate toolchain layout inspect process git elf config sources
    model diag support)
set(KBUILD_LAYER_cli step testbed audit build publish hub http verify precompile portable abi check matrix generate toolchain layout inspect ui process git elf
    config sources model diag support)

# The standard headers that nearly every file includes, precompiled once: they are most of a compile. Off where people and
# clang-tidy work (preset dev), since a precompiled header hides a missing include.
option(KBUILD_PCH "precompile the common standard headers" OFF)
if(KBUILD_PCH)
  file(WRITE "${PROJECT_BINARY_DIR}/pch.cpp" "")
  add_library(kbuild_pch OBJECT "${PROJECT_BINARY_DIR}/pch.cpp")
  target_link_libraries(kbuild_pch PRIVATE kbuild_warnings fmt::fmt tl::expected)
  target_precompile_headers(kbuild_pch PRIVATE
    <algorithm> <filesystem> <functional> <map> <memory> <optional> <set> <string> <string_view> <vector>
    <fmt/format.h> <tl/expected.hpp>)
endif()

# Several sources of a domain in one translation unit: half the time of a whole build, the whole time of a small change. Off
# where people work, which also keeps each source complete on its own.
option(KBUILD_UNITY "compile each domain in few translation units" OFF)

# kbuild_domain(NAME SOURCES...) creates the library kbuild_NAME from src/NAME with the links of its row.
function(kbuild_domain name)
  set(target kbuild_${name})
  add_library(${target} STATIC ${ARGN})
  kbuild_see_domains(${target} ${name} ${KBUILD_LAYER_${name}})
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(${target} PRIVATE kbuild_warnings PUBLIC fmt::fmt tl::expected)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${KBUILD_UNITY} UNITY_BUILD_BATCH_SIZE 8)
  if(KBUILD_PCH)
    target_precompile_headers(${target} REUSE_FROM kbuild_pch)
  endif()
endfunction()

# kbuild_see_domains(TARGET DOMAINS...) lets TARGET include and link the public side of DOMAINS.
function(kbuild_see_domains target)
  foreach(domain IN LISTS ARGN)
    set(view "${PROJECT_BINARY_DIR}/include-views/${domain}/kbuild")
    file(MAKE_DIRECTORY "${view}")
    file(CREATE_LINK "${PROJECT_SOURCE_DIR}/include/kbuild/${domain}" "${view}/${domain}" SYMBOLIC)
    target_include_directories(${target} PRIVATE "${PROJECT_BINARY_DIR}/include-views/${domain}")
    if(TARGET kbuild_${domain} AND NOT target STREQUAL "kbuild_${domain}")
      target_link_libraries(${target} PUBLIC kbuild_${domain})
    endif()
  endforeach()
endfunction()
