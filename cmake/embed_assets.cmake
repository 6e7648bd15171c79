# Run by cmake -P: writes to OUT a C++ source with the texts of FILES.
set(text "// Made by cmake/embed_assets.cmake; do not edit.
#include \"xla/tools/show/assets.h\"

namespace xla::tools {
namespace {

constexpr Asset kAssets[] = {
")
list(SORT FILES)
foreach(file IN LISTS FILES)
  cmake_path(GET file FILENAME name)
  file(READ ${file} content)
  string(APPEND text
    "    {\"${name}\",\n     R\"asset-text(${content})asset-text\"},\n")
endforeach()
string(APPEND text "};

}  // namespace

absl::Span<const Asset> Assets() { return kAssets; }

}  // namespace xla::tools
")
file(WRITE ${OUT} "${text}")
