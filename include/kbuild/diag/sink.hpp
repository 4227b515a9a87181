#pragma once

#include "kbuild/diag/diagnostic.hpp"

#include <vector>

namespace kbuild::diag {

/// Where functions that look at users' files report what they find.
class Sink {
  public:
    virtual ~Sink() = default;
    virtual void report(Diagnostic diagnostic) = 0;
};

/// Passes everything on and remembers whether there was an error among it.
class ErrorWatch : public Sink {
  public:
    explicit ErrorWatch(Sink& next) : next_(next) {}
    void report(Diagnostic diagnostic) override;
    bool has_errors() const { return has_errors_; }

  private:
    Sink& next_;
    bool has_errors_ = false;
};

/// Keeps all diagnostics. Their order is by file and position; those of no place come first.
class Collector : public Sink {
  public:
    void report(Diagnostic diagnostic) override;
    /// Diagnostics are large: who only reads them takes these, which live as long as the collector
    /// and until the next report.
    std::vector<const Diagnostic*> in_order() const;
    std::vector<Diagnostic> sorted() const&;
    std::vector<Diagnostic> sorted() &&; ///< moves them out
    bool has_errors() const { return count(Severity::error) > 0; }
    std::size_t count(Severity severity) const;

  private:
    std::vector<Diagnostic> taken();

    std::vector<Diagnostic> diagnostics_;
};

} // namespace kbuild::diag
