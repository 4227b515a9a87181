# kbuild_warnings: what every target of this project is compiled with. Errors in CI, not on a user's newer compiler.
option(KBUILD_WERROR "treat warnings as errors" OFF)
add_library(kbuild_warnings INTERFACE)
target_compile_options(kbuild_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Wnon-virtual-dtor
  -Woverloaded-virtual -Wdouble-promotion -Wformat=2 -Wcast-align
  # Designated initialisers leave members at their defaults on purpose.
  -Wno-missing-field-initializers
  # g++ 12 sees overflows in std::string's operator+ that are not there (GCC bugs 105329, 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow>
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-array-bounds>
  $<$<BOOL:${KBUILD_WERROR}>:-Werror>)
