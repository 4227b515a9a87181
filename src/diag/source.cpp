#include "kbuild/diag/source.hpp"

namespace kbuild::diag {

SourceFile::SourceFile(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)), line_starts_{0} {
    for (std::size_t i = 0; i < text_.size(); ++i)
        if (text_[i] == '\n' && i + 1 < text_.size())
            line_starts_.push_back(i + 1);
}

std::string_view SourceFile::line(std::size_t number) const {
    if (number == 0 || number > line_starts_.size())
        return {};
    const std::size_t begin = line_starts_[number - 1];
    const std::size_t end = number < line_starts_.size() ? line_starts_[number] : text_.size();
    std::string_view rest = std::string_view(text_).substr(begin, end - begin);
    if (rest.ends_with('\n'))
        rest.remove_suffix(1);
    if (rest.ends_with('\r'))
        rest.remove_suffix(1);
    return rest;
}

} // namespace kbuild::diag
