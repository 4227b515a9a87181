# Run by kbuild_embed_files at build time: writes the .cpp with the bytes of each file.
string(REPLACE "|" ";" files "${FILES}")
list(SORT files)
set(arrays "")
set(entries "")
set(index 0)
foreach(file IN LISTS files)
  file(READ "${BASE_DIR}/${file}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
  string(APPEND arrays "constexpr char kFile${index}[] = {${bytes}'\\0'};\n")
  file(SIZE "${BASE_DIR}/${file}" size)
  string(APPEND entries "    {\"${file}\", {kFile${index}, ${size}}},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE "${OUTPUT}" "#include \"kbuild/support/embedded.hpp\"

namespace kbuild::support::embedded {
namespace {
${arrays}
constexpr File kFiles[] = {
${entries}};
}  // namespace

std::span<const File> ${NAME}() {
    return kFiles;
}
}  // namespace kbuild::support::embedded
")
