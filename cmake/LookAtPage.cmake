# cmake -DNTPMU=PROGRAM -DBROWSER=CHROMIUM -DROOT=DIRECTORY -DWORK=DIRECTORY
#       -P LookAtPage.cmake
#
# Has a page written with a chart, opens it in a browser without a network, and
# fails unless its script ran to its end and found every series of it there, and
# something was drawn: marks, too, which browsers draw where they are used.
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
set(page "${WORK}/chart.html")
execute_process(
  COMMAND "${NTPMU}" counters tests/commands/counters/overflows.yaml
    --manifest tests/commands/counters/waves.man --every 0.2 --plot "${page}"
  WORKING_DIRECTORY "${ROOT}" RESULT_VARIABLE status ERROR_VARIABLE said
  OUTPUT_QUIET)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "no page was written: exit ${status}\n${said}")
endif()

# browse(ARGUMENT...): the page, in a browser that keeps nothing and asks nobody.
# What it prints goes to `dom`.
function(browse)
  execute_process(
    COMMAND "${BROWSER}" --headless --no-sandbox --disable-gpu --disable-quic
      --no-first-run --disable-background-networking --disable-component-update
      --disable-sync --host-resolver-rules=MAP\ *\ 0.0.0.0
      "--user-data-dir=${WORK}/profile" --window-size=1000,900 ${ARGN}
      "file://${page}"
    RESULT_VARIABLE status OUTPUT_VARIABLE printed ERROR_VARIABLE said
    TIMEOUT 120)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "the browser ended with ${status}:\n${said}")
  endif()
  set(dom "${printed}" PARENT_SCOPE)
endfunction()

browse(--dump-dom)
if(NOT dom MATCHES "<html[^>]* data-ready=\"3\"")
  message(FATAL_ERROR "the script did not find three series:\n${dom}")
endif()
browse("--screenshot=${WORK}/with.png")
# It has to look otherwise without what happened.
file(READ "${page}" text)
string(REGEX REPLACE "<line class=\"mark [^\n]*" "" text "${text}")
file(WRITE "${page}" "${text}")
browse("--screenshot=${WORK}/without.png")
file(SIZE "${WORK}/with.png" bytes)
file(SHA256 "${WORK}/with.png" with)
file(SHA256 "${WORK}/without.png" without)
if(bytes LESS 10000 OR with STREQUAL without)
  message(FATAL_ERROR "${WORK}/with.png has ${bytes} bytes: nothing, or no mark, "
    "is to be seen")
endif()
