# HEDDLE_SANITIZE: a list for -fsanitize=, such as "address,undefined". Empty for none.
set(HEDDLE_SANITIZE "" CACHE STRING "Sanitizers to build with, comma separated")
if(HEDDLE_SANITIZE)
  add_compile_options(-fsanitize=${HEDDLE_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${HEDDLE_SANITIZE})
endif()
