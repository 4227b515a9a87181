#include "kbuild/ui/render.hpp"

#include "formats.hpp"

namespace kbuild::ui {
namespace {

template <typename T> std::string render_any(const T& value, const Style& style) {
    switch (style.format) {
    case MessageFormat::human:
        return human(value, style.color);
    case MessageFormat::short_:
        return brief(value, style.color);
    case MessageFormat::json:
        return json(value);
    case MessageFormat::github:
        return github(value, style.workspace);
    }
    return {};
}

} // namespace

std::string render(const diag::Diagnostic& diagnostic, const Style& style) {
    return render_any(diagnostic, style);
}

std::string render(const support::Error& error, const Style& style) {
    return render_any(error, style);
}

} // namespace kbuild::ui
