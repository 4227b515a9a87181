#include "kbuild/http/secret.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <vector>

namespace kbuild::http {

Secret::~Secret() {
    OPENSSL_cleanse(text_.data(), text_.size());
}

Secret bearer(const Secret& token) {
    return Secret("Bearer " + token.reveal());
}

Secret basic(const std::string& name, const Secret& password) {
    const auto pair = name + ":" + password.reveal();
    std::vector<unsigned char> encoded(4 * (pair.size() / 3 + 1) + 1);
    const auto length = EVP_EncodeBlock(encoded.data(),
                                        reinterpret_cast<const unsigned char*>(pair.data()),
                                        static_cast<int>(pair.size()));
    return Secret("Basic " + std::string(encoded.begin(), encoded.begin() + length));
}

} // namespace kbuild::http
