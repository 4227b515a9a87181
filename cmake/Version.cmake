# Commit and dirty flag of this build, for `kbuild --version` and the provenance in metadata.json.
find_package(Git QUIET)
set(KBUILD_COMMIT "")
set(KBUILD_DIRTY "false")
if(GIT_FOUND)
  execute_process(COMMAND "${GIT_EXECUTABLE}" rev-parse HEAD WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
                  OUTPUT_VARIABLE KBUILD_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND "${GIT_EXECUTABLE}" status --porcelain --untracked-files=no
                  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
                  OUTPUT_VARIABLE changes OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(changes)
    set(KBUILD_DIRTY "true")
  endif()
endif()
set(KBUILD_GENERATED_INCLUDE "${PROJECT_BINARY_DIR}/generated")
configure_file("${PROJECT_SOURCE_DIR}/cmake/version_data.hpp.in"
               "${KBUILD_GENERATED_INCLUDE}/version_data.hpp" @ONLY)
