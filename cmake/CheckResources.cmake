# cmake -D LLVM_RC=program -D WINDRES=program -D SCRIPT=file.rc -D STEM=path
#   -P CheckResources.cmake
# Fails unless both resource compilers take the script and make the same of it.
# Prints that as hexadecimal digits.
# Behind -- a path is a path: /check/x.rc would else be the option /c.
execute_process(COMMAND "${LLVM_RC}" /FO "${STEM}.llvm.res" -- "${SCRIPT}"
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${WINDRES}" -O res -o "${STEM}.gnu.res" "${SCRIPT}"
  COMMAND_ERROR_IS_FATAL ANY)
file(READ "${STEM}.llvm.res" one HEX)
file(READ "${STEM}.gnu.res" other HEX)
message("${one}")
if(NOT one STREQUAL other)
  message(FATAL_ERROR "llvm-rc and windres differ about ${SCRIPT}")
endif()
