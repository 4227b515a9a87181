#include "proof_cache.hpp"

#include "kbuild/support/environment.hpp"
#include "kbuild/support/file.hpp"
#include "kbuild/support/strings.hpp"

namespace kbuild::toolchain {
namespace {

std::filesystem::path place_of(const std::string& key) {
    return support::cache_home() / "proofs" / key;
}

} // namespace

std::optional<std::string> recall_proof(const std::string& key) {
    const auto text = support::read_file(place_of(key), 1U << 16U);
    if (!text || text->empty())
        return std::nullopt;
    return std::string(support::trim(*text));
}

void remember_proof(const std::string& key, const std::string& outcome) {
    static_cast<void>(support::write_file_atomically(place_of(key), outcome + "\n"));
}

} // namespace kbuild::toolchain
