# KBUILD_SANITIZE=address,undefined instruments everything, tests included.
set(KBUILD_SANITIZE "" CACHE STRING "comma-separated sanitizers for the whole build")
if(KBUILD_SANITIZE)
  add_compile_options(-fsanitize=${KBUILD_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${KBUILD_SANITIZE})
endif()

# Everything, since a precompiled header takes the same instrumentation as the files that use it.
option(KBUILD_FUZZ "build the fuzz targets (clang only)" OFF)
if(KBUILD_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
