# kbuild_embed_files(TARGET NAME BASE_DIR FILES...)
#
# Compiles FILES (relative to BASE_DIR) into TARGET as a table that
# `kbuild::support::embedded::NAME()` returns, sorted by name, so that the executable needs no data folder.
function(kbuild_embed_files target name base_dir)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.cpp")
  set(inputs "")
  foreach(file IN LISTS ARGN)
    list(APPEND inputs "${base_dir}/${file}")
  endforeach()
  string(REPLACE ";" "|" file_list "${ARGN}")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${output}" "-DNAME=${name}" "-DBASE_DIR=${base_dir}"
            "-DFILES=${file_list}" -P "${PROJECT_SOURCE_DIR}/cmake/EmbedFilesScript.cmake"
    DEPENDS ${inputs} "${PROJECT_SOURCE_DIR}/cmake/EmbedFilesScript.cmake"
    COMMENT "Embedding ${name}"
    VERBATIM)
  set_source_files_properties("${output}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE "${output}")
endfunction()
