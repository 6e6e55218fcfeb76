# ntpmu_embed_requirements(TARGET DIRECTORY): puts the entries of the directory's
# YAML files into the target, as requirements_table.h declares them, and which of
# them its record of proofs proves.
function(ntpmu_embed_requirements target directory)
  file(GLOB files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${directory}/*.yaml")
  set(output "${PROJECT_BINARY_DIR}/requirements_table.c")
  add_custom_command(OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}"
      "-DDIRECTORY=${directory}" "-DOUTPUT=${output}"
      -P "${PROJECT_SOURCE_DIR}/cmake/WriteRequirements.cmake"
    DEPENDS ${files} "${PROJECT_SOURCE_DIR}/${directory}/proofs.txt"
      "${PROJECT_SOURCE_DIR}/cmake/WriteRequirements.cmake"
    VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()
