# Writes OUTPUT, a C file with the text of every YAML file of ROOT/DIRECTORY.
file(GLOB files RELATIVE "${ROOT}" "${ROOT}/${DIRECTORY}/*.yaml")
list(SORT files)
if(NOT files)
  message(FATAL_ERROR "${DIRECTORY}: no requirements")
endif()
set(arrays "")
set(rows "")
foreach(file IN LISTS files)
  file(READ "${ROOT}/${file}" hex HEX)
  # Bytes, because C limits the length of a string literal.
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "(0x[89a-f].)" "(char)\\1" bytes "${bytes}")
  string(REGEX REPLACE "[^A-Za-z0-9]" "_" name "${file}")
  string(APPEND arrays "static const char ${name}[] = {${bytes}0};\n")
  string(APPEND rows "    {\"${file}\", ${name}},\n")
endforeach()
list(LENGTH files count)
file(WRITE "${OUTPUT}" "/* Made from ${DIRECTORY}. */
#include \"scenarios/runner/requirements_text.h\"

${arrays}
const struct requirements_text requirements_texts[] = {
${rows}};

const size_t requirements_text_count = ${count};
")
