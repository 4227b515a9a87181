#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kbuild::generate {

/// Writes CMake variables; the only place of the project that quotes for CMake.
class CMakeWriter {
  public:
    void comment(std::string_view text);
    void set(std::string_view name, std::string_view value);
    /// A list; an item that holds `;` stays one item.
    void set_list(std::string_view name, const std::vector<std::string>& items);
    const std::string& text() const { return text_; }

  private:
    std::string text_;
};

/// `text` as a bracket argument that CMake takes literally.
std::string cmake_literal(std::string_view text);

} // namespace kbuild::generate
