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

/// Keeps all diagnostics; `sorted()` gives them by file and position, errors of no place first.
class Collector : public Sink {
  public:
    void report(Diagnostic diagnostic) override;
    std::vector<Diagnostic> sorted() const;
    bool has_errors() const { return count(Severity::error) > 0; }
    std::size_t count(Severity severity) const;

  private:
    std::vector<Diagnostic> diagnostics_;
};

} // namespace kbuild::diag
