#pragma once

#include "kbuild/config/load.hpp"

#include <catch2/catch.hpp>

#include <optional>
#include <string>
#include <vector>

/// A build.toml text and what comes of it.
namespace parse {

using kbuild::diag::Diagnostic;
using kbuild::diag::Severity;

struct Outcome {
    std::optional<kbuild::config::BuildConfig> config;
    std::vector<Diagnostic> findings;

    /// `K0104 7:1`, one a finding, in the order of the file.
    std::vector<std::string> places() const {
        std::vector<std::string> result;
        for (const auto& finding : findings)
            result.push_back(finding.code + " " + std::to_string(finding.span.begin.line) + ":" +
                             std::to_string(finding.span.begin.column));
        return result;
    }

    const Diagnostic& only() const {
        REQUIRE(findings.size() == 1);
        return findings.front();
    }
};

inline Outcome text(std::string text) {
    kbuild::diag::Collector collector;
    auto config = kbuild::config::parse_build_config("build.toml", std::move(text), collector);
    return {std::move(config), collector.sorted()};
}

/// The smallest edition 5 file with a ROCm kernel; `extra` is put at the end, inside
/// `[kernel.gemm]`.
inline std::string minimal(const std::string& extra = {}) {
    return "[general]\n"              // 1
           "name = \"gemm-fp8\"\n"    // 2
           "version = 1\n"            // 3
           "edition = 5\n"            // 4
           "license = \"MIT\"\n"      // 5
           "backends = [\"rocm\"]\n"  // 6
           "[torch]\n"                // 7
           "[kernel.gemm]\n"          // 8
           "backend = \"rocm\"\n"     // 9
           "depends = [\"torch\"]\n"  // 10
           "src = [\"gemm.hip\"]\n" + // 11
           extra;                     // 12 …
}

} // namespace parse
