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
    // Diagnostics are large: their order is found before any of them is copied.
    std::vector<const Diagnostic*> order;
    order.reserve(diagnostics_.size());
    for (const auto& diagnostic : diagnostics_)
        order.push_back(&diagnostic);
    std::sort(order.begin(), order.end(), [](const Diagnostic* a, const Diagnostic* b) {
        return sort_key(*a) < sort_key(*b);
    });
    std::vector<Diagnostic> result;
    result.reserve(order.size());
    for (const auto* diagnostic : order)
        result.push_back(*diagnostic);
    return result;
}

std::size_t Collector::count(Severity severity) const {
    return static_cast<std::size_t>(
        std::count_if(diagnostics_.begin(), diagnostics_.end(), [severity](const Diagnostic& d) {
            return d.severity == severity;
        }));
}

} // namespace kbuild::diag
