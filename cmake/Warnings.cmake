# The warnings of our own code, all of them errors. Foreign headers are SYSTEM.
option(HEDDLE_WERROR "Treat warnings as errors" ON)
function(heddle_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow
    -Wno-restrict  # false alarms of g++ 12 on string concatenation
                                           $<$<BOOL:${HEDDLE_WERROR}>:-Werror>)
  if(HEDDLE_SANITIZE)
    # Sanitizer instrumentation makes g++ 12 see uninitialised values that are not there.
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
  endif()
endfunction()
