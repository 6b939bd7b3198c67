# Turns a folder of C model files into one generated C++ file that defines
# heddle::frontend::model_files(). Each file becomes an array of characters,
# because string literals have a length limit and arrays have none.
set(HEDDLE_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/write_model_files.cmake)

# heddle_embed_models(<target> <folder>): the *.c of folder, ordered by name.
function(heddle_embed_models target folder)
  file(GLOB models CONFIGURE_DEPENDS ${folder}/*.c)
  list(SORT models)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/model_files.cpp)
  # The list goes through a file, so that adding or removing a model rewrites the output.
  set(list_file ${CMAKE_CURRENT_BINARY_DIR}/model_files.list)
  list(JOIN models "\n" listed)
  file(CONFIGURE OUTPUT ${list_file} CONTENT "${listed}\n" @ONLY)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DLIST=${list_file} -DOUTPUT=${output} -P ${HEDDLE_EMBED_SCRIPT}
    DEPENDS ${models} ${list_file} ${HEDDLE_EMBED_SCRIPT}
    COMMENT "Embedding the model library"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
