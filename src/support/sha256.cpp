#include "kbuild/support/sha256.hpp"

#include "kbuild/support/file.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <fstream>
#include <memory>
#include <vector>

namespace kbuild::support {
namespace {

class Hasher {
  public:
    Hasher() : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
        EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr);
    }
    void update(std::string_view bytes) {
        EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size());
    }
    Sha256Digest finish() {
        Sha256Digest digest{};
        EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr);
        return digest;
    }

  private:
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

} // namespace

Sha256Digest sha256(std::string_view bytes) {
    Hasher hasher;
    hasher.update(bytes);
    return hasher.finish();
}

Result<Sha256Digest> sha256_file(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream)
        return fail(ErrorKind::failed, fmt::format("cannot read `{}`", display_path(path)));
    Hasher hasher;
    std::vector<char> block(1U << 18U);
    while (stream.read(block.data(), static_cast<std::streamsize>(block.size())),
           stream.gcount() > 0)
        hasher.update({block.data(), static_cast<std::size_t>(stream.gcount())});
    if (stream.bad())
        return fail(ErrorKind::failed, fmt::format("cannot read `{}`", display_path(path)));
    return hasher.finish();
}

std::string to_hex(const Sha256Digest& digest) {
    std::string text;
    for (const auto byte : digest)
        text += fmt::format("{:02x}", byte);
    return text;
}

std::string to_base64(const Sha256Digest& digest) {
    std::string text(45, '\0');
    EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                    digest.data(),
                    static_cast<int>(digest.size()));
    text.resize(44);
    return text;
}

Fingerprint& Fingerprint::add(std::string_view name, std::string_view value) {
    text_ += fmt::format("{}:{}={}:{};", name.size(), name, value.size(), value);
    return *this;
}

std::string Fingerprint::hex() const {
    return to_hex(sha256(text_));
}

} // namespace kbuild::support
