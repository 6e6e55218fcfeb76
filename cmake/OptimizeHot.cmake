# ntpmu_optimize(LAYER [ROOM...]): these rooms of the layer, or all of it, are
# optimised across their files when a program is linked. What is left out is compiled
# file by file, and a change of it costs no more than its own file and a link.
function(ntpmu_optimize layer)
  set_target_properties(${layer} PROPERTIES INTERPROCEDURAL_OPTIMIZATION ON)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    # What one instruction has stored by halves the next one would load as a pair,
    # and hosts wait for that.
    target_compile_options(${layer} PRIVATE -fno-tree-slp-vectorize)
    # A record of some hundred bytes is cleared by stores; REP STOS takes longer to
    # begin than they do.
    if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
      target_compile_options(${layer} PRIVATE
        -mmemset-strategy=vector_loop:512:noalign,libcall:-1:noalign)
    endif()
    # By as many processes as there are processors.
    target_link_options(${layer} INTERFACE -flto=auto)
  endif()
  if(ARGN)
    string(REPLACE ";" "|" rooms "${ARGN}")
    get_target_property(sources ${layer} SOURCES)
    list(FILTER sources EXCLUDE REGEX "/${layer}/(${rooms})/")
    set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS -fno-lto)
  endif()
endfunction()
