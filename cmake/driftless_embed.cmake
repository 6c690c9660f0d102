# Files as constants of a C++ source, so that the program needs none of them beside itself.
#
#   cmake -D OUTPUT=page_files.cpp -D HEADER=driftless/report/page_files.hpp -D NAMESPACE=driftless::page_files
#         -D "FILES=page_css=page.css;page_js=page.js" -P driftless_embed.cmake
set(source "// Made from the files of the page when the program is built.\n#include \"${HEADER}\"\n\n#include <array>\n\n")
string(APPEND source "namespace ${NAMESPACE} {\nnamespace {\n\n")
set(views "")
foreach(entry IN LISTS FILES)
  string(REGEX MATCH "^([a-z_]+)=(.*)$" matched "${entry}")
  set(name "${CMAKE_MATCH_1}")
  file(READ "${CMAKE_MATCH_2}" bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR length "${digits} / 2")
  # As octal or hexadecimal escapes a long string would exceed what compilers must take; numbers have no such limit.
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND source "constexpr std::array<char, ${length}> ${name}_bytes{${bytes}};\n")
  string(APPEND views "const std::string_view ${name}(${name}_bytes.data(), ${name}_bytes.size());\n")
endforeach()
string(APPEND source "\n}  // namespace\n\n${views}\n}  // namespace ${NAMESPACE}\n")
file(WRITE "${OUTPUT}" "${source}")
