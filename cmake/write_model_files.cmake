# cmake -DLIST=<file with one path a line> -DOUTPUT=<file.cpp> -P write_model_files.cmake
file(STRINGS ${LIST} models REGEX "[^ ]")
set(arrays "")
set(entries "")
set(count 0)
foreach(model IN LISTS models)
  get_filename_component(name ${model} NAME)
  file(READ ${model} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
  string(REGEX REPLACE "('.....,'.....,'.....,'.....,'.....,'.....,'.....,'.....,)" "\\1\n    "
         bytes "${bytes}")
  string(APPEND arrays "constexpr char text_${count}[] = {\n    ${bytes}'\\0'};\n\n")
  string(APPEND entries
         "    ModelFile{\"${name}\", std::string_view(text_${count}, sizeof(text_${count}) - 1)},\n")
  math(EXPR count "${count} + 1")
endforeach()
if(count EQUAL 0)
  set(table "constexpr std::array<ModelFile, 0> files = {};\n")
else()
  set(table "constexpr std::array<ModelFile, ${count}> files = {\n${entries}};\n")
endif()
file(WRITE ${OUTPUT} "// Generated from src/frontend/models; do not edit.
#include \"frontend/model_files.hpp\"

#include <array>

namespace heddle::frontend {
namespace {

${arrays}${table}
}  // namespace

std::span<const ModelFile> model_files() { return files; }

}  // namespace heddle::frontend
")
