# cmake -D SOURCE=file -D OBJECT=file -D OBJCOPY=program
#   -P CompileMingwDriver.cmake -- compiler flag...
# Compiles a file of a driver with MinGW gcc and does what its alloc_text
# pragmas ask for, which gcc ignores: the section of each function that they
# name gets the name that they give. They are looked for in the preprocessed
# text, where comments and conditions have been dealt with. Beside the object
# lies OBJECT.d, the headers that it was made of.
set(command)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(in_command)
    list(APPEND command "${CMAKE_ARGV${i}}")
  elseif(CMAKE_ARGV${i} STREQUAL "--")
    set(in_command TRUE)
  endif()
endforeach()

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    file(REMOVE "${OBJECT}")
    message(FATAL_ERROR "${SOURCE}: not compiled")
  endif()
endfunction()

run(${command} -MD -MF "${OBJECT}.d" -MT "${OBJECT}"
  -c "${SOURCE}" -o "${OBJECT}")
execute_process(COMMAND ${command} -E "${SOURCE}"
  OUTPUT_VARIABLE text ERROR_QUIET
  COMMAND_ERROR_IS_FATAL ANY)

set(pragma "\n[ \t]*#[ \t]*pragma[ \t]+")
if(text MATCHES "${pragma}((code|data|bss|const)_seg)")
  file(REMOVE "${OBJECT}")
  message(FATAL_ERROR "${SOURCE}: MinGW gcc has nothing like #pragma "
    "${CMAKE_MATCH_1}: use alloc_text, or COMPILER clang")
endif()

# alloc_text(PAGE, one, two): the last one that names a function counts.
string(REGEX MATCHALL "${pragma}alloc_text[ \t]*\\([^)\n]*\\)" pragmas
  "${text}")
set(functions)
foreach(line IN LISTS pragmas)
  string(REGEX REPLACE "^[^(]*\\(|[) \t\"]" "" names "${line}")
  string(REPLACE "," ";" names "${names}")
  list(POP_FRONT names section)
  foreach(name IN LISTS names)
    set(section_of_${name} "${section}")
    list(APPEND functions "${name}")
  endforeach()
endforeach()
list(REMOVE_DUPLICATES functions)

set(renames)
foreach(name IN LISTS functions)
  list(APPEND renames --rename-section ".text$${name}=${section_of_${name}}")
endforeach()
if(renames)
  run("${OBJCOPY}" ${renames} "${OBJECT}")
endif()
