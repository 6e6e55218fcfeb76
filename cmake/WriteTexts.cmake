# Writes OUTPUT, a C source with the bytes of FILES (with | between), as HEADER
# declares them.
string(REPLACE "|" ";" files "${FILES}")
set(text "/* Made from files beside ${HEADER}. */\n#include \"${HEADER}\"\n")
foreach(file IN LISTS files)
  cmake_path(GET file FILENAME name)
  string(MAKE_C_IDENTIFIER "${name}" name)
  file(READ "${file}" bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(................................................................................)"
    "\\1\n    " bytes "${bytes}")
  string(APPEND text "\nconst char ${name}[] = {\n    ${bytes}0};\n")
endforeach()
file(WRITE "${OUTPUT}" "${text}")
