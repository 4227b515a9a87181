#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kbuild::generate {

/// Writes CMake variables; with the functions below the only place of the project that quotes for
/// CMake. CMake has three readers one after the other, and each takes other characters for itself:
/// the language (`$`, quotes), generator expressions (`$<`, `>`), and lists, which end an item
/// neither at `\;` nor while `[` and `]` are unbalanced. Lists can therefore not carry every
/// string; no variable written here is a list of foreign strings (docs/decisions/0026).
class CMakeWriter {
  public:
    void comment(std::string_view text);
    /// One string, exactly as it is.
    void set(std::string_view name, std::string_view value);
    /// One variable an item, `<name>_0`, `<name>_1`, …, and their numbers in `<name>_NUMBERS`.
    void set_items(std::string_view name, const std::vector<std::string>& items);
    /// A list of plain words; they hold nothing that CMake would take for itself.
    void set_words(std::string_view name, const std::vector<std::string>& words);
    const std::string& text() const { return text_; }

  private:
    std::string text_;
};

/// `text` as a bracket argument that CMake takes literally.
std::string cmake_literal(std::string_view text);

/// Arguments as the one entry of COMPILE_OPTIONS or LINK_OPTIONS of a target: CMake splits it as a
/// shell would and quotes each argument for its generator, in this order and with repetitions. May
/// stand within a generator expression. Empty without arguments. Arguments hold no line breaks:
/// Ninja has no way to write one.
std::string option_entry(const std::vector<std::string>& arguments);

/// Arguments as COMPILE_FLAGS of a source file, or as part of a rule: text that CMake hands to
/// Ninja as it is, quoted for Ninja and for the shell.
std::string ninja_flags(const std::vector<std::string>& arguments);

} // namespace kbuild::generate
