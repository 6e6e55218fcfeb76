# cmake -D PROJECT=dir -D WORK=dir -D COMPILER=cc -D CXX_COMPILER=c++ -D NM=nm
# -D LINES=n -P CheckPackage.cmake: builds the PMU model alone and installs it;
# sees that no symbol is visible but those of its header; builds the sample
# program and those of tests/package against it and nothing else, and compares
# what they print. The sample has at most n lines.
cmake_policy(VERSION 3.25)
set(sample "${PROJECT}/docs/sample")
set(tests "${PROJECT}/tests/package")
file(READ "${sample}/overflow.c" text)
string(REGEX MATCHALL "\n" ends "${text}")
list(LENGTH ends count)
if(count GREATER LINES)
  message(FATAL_ERROR "overflow.c has ${count} lines, not at most ${LINES}")
endif()

file(REMOVE_RECURSE "${WORK}")
set(generator "-GNinja;-DCMAKE_C_COMPILER=${COMPILER}")
set(finds "${generator};-DCMAKE_PREFIX_PATH=${WORK}/prefix")
foreach(command IN ITEMS
    "-S;${PROJECT};-B;${WORK}/sim;${generator};-DNTPMU_SIM_ONLY=ON;-DCMAKE_BUILD_TYPE=Release"
    "--build;${WORK}/sim"
    "--install;${WORK}/sim;--component;sim;--prefix;${WORK}/prefix"
    "-S;${sample};-B;${WORK}/sample;${finds}"
    "--build;${WORK}/sample"
    "-S;${tests};-B;${WORK}/tests;${finds};-DCMAKE_CXX_COMPILER=${CXX_COMPILER}"
    "--build;${WORK}/tests")
  execute_process(COMMAND "${CMAKE_COMMAND}" ${command}
    OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "cmake ${command} failed:\n${output}")
  endif()
endforeach()

file(GLOB_RECURSE library "${WORK}/prefix/*/libntpmu_sim.a")
execute_process(COMMAND "${NM}" --extern-only --defined-only "${library}"
  OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " [A-Z] [^\n]+" symbols "${output}")
file(READ "${WORK}/prefix/include/ntpmu/sim/lone_cpu.h" header)
foreach(symbol IN LISTS symbols)
  string(SUBSTRING "${symbol}" 3 -1 name)
  if(NOT name MATCHES "^lone_" OR NOT header MATCHES "${name}\\(")
    message(SEND_ERROR "${name} is visible and not of lone_cpu.h")
  endif()
endforeach()
list(LENGTH symbols count)
if(count EQUAL 0)
  message(FATAL_ERROR "nm has shown no symbol of ${library}:\n${output}")
endif()
message(STATUS "${count} symbols are visible")

foreach(program IN ITEMS "${sample}/overflow" "${tests}/own_names"
    "${tests}/samples")
  cmake_path(GET program PARENT_PATH directory)
  cmake_path(GET program FILENAME name)
  cmake_path(GET directory FILENAME built)
  string(REPLACE "package" "tests" built "${built}")
  execute_process(COMMAND "${WORK}/${built}/${name}"
    OUTPUT_VARIABLE printed RESULT_VARIABLE result)
  file(READ "${program}.expected" expected)
  if(NOT result EQUAL 0 OR NOT printed STREQUAL expected)
    message(SEND_ERROR "${name} ended with ${result} and printed\n${printed}"
      "not\n${expected}")
  endif()
endforeach()
