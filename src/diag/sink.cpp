#include "kbuild/diag/sink.hpp"

#include <algorithm>
#include <tuple>

namespace kbuild::diag {
namespace {

auto sort_key(const Diagnostic& d) {
    return std::tuple(d.span ? std::string_view(d.span.file->name()) : std::string_view(),
                      d.span ? d.span.begin : Position{0, 0},
                      std::string_view(d.code),
                      std::string_view(d.message));
}

} // namespace

void ErrorWatch::report(Diagnostic diagnostic) {
    has_errors_ = has_errors_ || diagnostic.severity == Severity::error;
    next_.report(std::move(diagnostic));
}

void Collector::report(Diagnostic diagnostic) {
    diagnostics_.push_back(std::move(diagnostic));
}

std::vector<Diagnostic> Collector::sorted() const {
    auto result = diagnostics_;
    std::sort(result.begin(), result.end(), [](const Diagnostic& a, const Diagnostic& b) {
        return sort_key(a) < sort_key(b);
    });
    return result;
}

std::size_t Collector::count(Severity severity) const {
    return static_cast<std::size_t>(
        std::count_if(diagnostics_.begin(), diagnostics_.end(), [severity](const Diagnostic& d) {
            return d.severity == severity;
        }));
}

} // namespace kbuild::diag
