# ntpmu_embed_texts(TARGET HEADER FILE...): puts the bytes of the files into the
# target, as the header declares them: `const char NAME_EXT[]` for NAME.EXT, ended by
# a NUL.
function(ntpmu_embed_texts target header)
  cmake_path(GET header STEM name)
  set(output "${PROJECT_BINARY_DIR}/${name}_embedded.c")
  list(TRANSFORM ARGN PREPEND "${PROJECT_SOURCE_DIR}/" OUTPUT_VARIABLE files)
  list(JOIN files "|" joined)
  add_custom_command(OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DHEADER=${header}" "-DFILES=${joined}"
      "-DOUTPUT=${output}" -P "${PROJECT_SOURCE_DIR}/cmake/WriteTexts.cmake"
    DEPENDS ${files} "${PROJECT_SOURCE_DIR}/cmake/WriteTexts.cmake"
    VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()
