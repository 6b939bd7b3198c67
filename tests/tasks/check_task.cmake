# Runs `heddle check` on one program and compares the verdict, which is the exit code, with the
# expected one. UNDECIDED allows `unknown` in place of the right answer, never a wrong one. Of
# what is undefined there is no other answer.
cmake_minimum_required(VERSION 3.25)

set(options --time 60s)
if(ENGINE)
  set(options --time 3s --engine ${ENGINE})
endif()
if(PROPERTY)
  list(APPEND options --property ${PROPERTY})
endif()
if(MODEL)
  list(APPEND options ${MODEL})
endif()
execute_process(COMMAND ${HEDDLE} check ${options} ${FILE}
                RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE errors)

set(accepted 0)
if(EXPECTED STREQUAL "false")
  set(accepted 1)
elseif(EXPECTED STREQUAL "undefined")
  set(accepted 2)
elseif(NOT EXPECTED STREQUAL "true")
  message(FATAL_ERROR "expected verdict is not true, false or undefined: '${EXPECTED}'")
endif()
if(UNDECIDED)
  list(APPEND accepted 2)
endif()

if(NOT code IN_LIST accepted)
  message(FATAL_ERROR "expected ${EXPECTED} (exit code ${accepted}), got exit code ${code}\n"
                      "${output}${errors}")
endif()
if(code EQUAL 1 AND SUBPROPERTY AND NOT output MATCHES "${SUBPROPERTY}")
  message(FATAL_ERROR "the violation is not named ${SUBPROPERTY}\n${output}${errors}")
endif()
