# ntpmu_warnings(TARGET): the project's warnings and instrumentation. -Werror
# comes from the presets. Assertions stay on in every build type, whoever builds.
function(ntpmu_warnings target)
  target_compile_options(${target} PRIVATE -UNDEBUG)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes
    -Wmissing-prototypes -Wswitch-enum -Wcast-qual -Wundef -Wvla)
  if(NTPMU_SANITIZE)
    target_compile_options(${target} PRIVATE
      -fsanitize=address,undefined -fno-sanitize-recover=all
      -fno-omit-frame-pointer)
    # What every use of a pointer asks is left to clang: with gcc it is a third of
    # a build and half of what the tests take.
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${target} PRIVATE
        -fno-sanitize=null,alignment,object-size,pointer-overflow)
    endif()
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
  if(NTPMU_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  if(NTPMU_COVERAGE)
    ntpmu_share_counts(${target})
  endif()
endfunction()
