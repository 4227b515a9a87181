#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kbuild::step {

/// What `clang-offload-bundler -type=o` is asked for when device code is joined to be embedded.
struct BundleRequest {
    std::uint64_t alignment = 1;      ///< of each input in the file, bytes
    std::vector<std::string> targets; ///< `host-x86_64-unknown-linux-gnu`, `hipv4-…--gfx942`
    std::vector<std::string> inputs;  ///< files, one for each target; `/dev/null` for the host
    std::string output;
};

/// From options as clang-offload-bundler takes them (`-type=o -bundle-align= -targets= -input=
/// -output=`); nothing if there is any other one, or if targets and inputs are not as many.
std::optional<BundleRequest> parse_bundle_request(const std::vector<std::string_view>& options);

struct BundleLayout {
    std::string header;                 ///< what the file begins with
    std::vector<std::uint64_t> offsets; ///< of each input, multiples of the alignment
};

/// Where inputs of these `sizes` (bytes) go: the binary layout of
/// clang.llvm.org/docs/ClangOffloadBundler.html, numbers little-endian, entries in the order of the
/// targets.
BundleLayout lay_out(const BundleRequest& request, const std::vector<std::uint64_t>& sizes);

} // namespace kbuild::step
