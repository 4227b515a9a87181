# kbuild_warnings: what every target of this project is compiled with. Errors in CI, not on a user's newer compiler.
option(KBUILD_WERROR "treat warnings as errors" OFF)
add_library(kbuild_warnings INTERFACE)
target_compile_options(kbuild_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Wnon-virtual-dtor
  -Woverloaded-virtual -Wdouble-promotion -Wformat=2 -Wcast-align
  $<$<BOOL:${KBUILD_WERROR}>:-Werror>)
