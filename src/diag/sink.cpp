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

std::vector<const Diagnostic*> Collector::in_order() const {
    std::vector<const Diagnostic*> order;
    order.reserve(diagnostics_.size());
    for (const auto& diagnostic : diagnostics_)
        order.push_back(&diagnostic);
    std::sort(order.begin(), order.end(), [](const Diagnostic* a, const Diagnostic* b) {
        return sort_key(*a) < sort_key(*b);
    });
    return order;
}

std::vector<Diagnostic> Collector::sorted() const& {
    return Collector(*this).taken();
}

std::vector<Diagnostic> Collector::sorted() && {
    return taken();
}

std::vector<Diagnostic> Collector::taken() {
    std::vector<Diagnostic> result;
    result.reserve(diagnostics_.size());
    for (const auto* diagnostic : in_order())
        result.push_back(
            std::move(diagnostics_[static_cast<std::size_t>(diagnostic - diagnostics_.data())]));
    diagnostics_.clear();
    return result;
}

std::size_t Collector::count(Severity severity) const {
    return static_cast<std::size_t>(
        std::count_if(diagnostics_.begin(), diagnostics_.end(), [severity](const Diagnostic& d) {
            return d.severity == severity;
        }));
}

} // namespace kbuild::diag
