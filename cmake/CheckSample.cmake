# cmake -D PROJECT=dir -D SOURCE=dir -D WORK=dir -D COMPILER=cc -D EXPECTED=file
# -D LINES=n -P CheckSample.cmake: builds the PMU model alone and installs it,
# builds the sample program against that and nothing else, and compares what it
# prints. The program has at most n lines.
file(READ "${SOURCE}/overflow.c" text)
string(REGEX MATCHALL "\n" ends "${text}")
list(LENGTH ends count)
if(count GREATER LINES)
  message(FATAL_ERROR "overflow.c has ${count} lines, not at most ${LINES}")
endif()

file(REMOVE_RECURSE "${WORK}")
set(generator "-GNinja;-DCMAKE_C_COMPILER=${COMPILER}")
foreach(command IN ITEMS
    "-S;${PROJECT};-B;${WORK}/sim;${generator};-DNTPMU_SIM_ONLY=ON;-DCMAKE_BUILD_TYPE=Release"
    "--build;${WORK}/sim"
    "--install;${WORK}/sim;--component;sim;--prefix;${WORK}/prefix"
    "-S;${SOURCE};-B;${WORK}/build;${generator};-DCMAKE_PREFIX_PATH=${WORK}/prefix"
    "--build;${WORK}/build")
  execute_process(COMMAND "${CMAKE_COMMAND}" ${command}
    OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "cmake ${command} failed:\n${output}")
  endif()
endforeach()

execute_process(COMMAND "${WORK}/build/overflow"
  OUTPUT_VARIABLE printed RESULT_VARIABLE result)
file(READ "${EXPECTED}" expected)
if(NOT result EQUAL 0 OR NOT printed STREQUAL expected)
  message(FATAL_ERROR "overflow ended with ${result} and printed\n${printed}"
    "not\n${expected}")
endif()
