#include "file_ids.hpp"

#include "kbuild/publish/content.hpp"
#include "kbuild/support/file.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <memory>
#include <vector>

namespace kbuild::publish {
namespace {

using support::Result;

class Hash {
  public:
    explicit Hash(const EVP_MD* kind) : context_(EVP_MD_CTX_new()) {
        EVP_DigestInit_ex(context_.get(), kind, nullptr);
    }
    void add(std::string_view bytes) {
        EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size());
    }
    std::string hex() {
        std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
        unsigned size = 0;
        EVP_DigestFinal_ex(context_.get(), digest.data(), &size);
        std::string text;
        for (unsigned i = 0; i < size; ++i)
            text += fmt::format("{:02x}", digest[i]);
        return text;
    }

  private:
    struct Free {
        void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
    };
    std::unique_ptr<EVP_MD_CTX, Free> context_;
};

/// Both hashes of a content of a known size.
class Ids {
  public:
    explicit Ids(std::uint64_t size) : small_(size <= kMaxRegular) {
        blob_.add(fmt::format("blob {}", size));
        blob_.add(std::string_view("\0", 1));
    }
    void add(std::string_view bytes) {
        size_ += bytes.size();
        sha256_.add(bytes);
        if (small_)
            blob_.add(bytes);
    }
    FileIds finish() { return {size_, sha256_.hex(), small_ ? blob_.hex() : std::string()}; }

  private:
    bool small_;
    std::uint64_t size_ = 0;
    Hash sha256_{EVP_sha256()};
    Hash blob_{EVP_sha1()};
};

} // namespace

FileIds text_ids(std::string_view text) {
    Ids ids(text.size());
    ids.add(text);
    return ids.finish();
}

Result<FileIds> file_ids(const std::filesystem::path& path) {
    const auto failure = [&path](const char* what) {
        return support::fail(support::ErrorKind::failed,
                             fmt::format("`{}` {}", support::display_path(path), what));
    };
    const auto size = support::size_of_file(path);
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return failure("cannot be read");
    Ids ids(size);
    std::vector<char> buffer(std::size_t{1} << 20U);
    while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) ||
           file.gcount() > 0)
        ids.add({buffer.data(), static_cast<std::size_t>(file.gcount())});
    if (file.bad())
        return failure("cannot be read");
    auto result = ids.finish();
    if (result.size != size)
        return failure("was changed while it was read");
    return result;
}

std::string lfs_pointer(std::string_view sha256, std::uint64_t size) {
    return fmt::format(
        "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize {}\n", sha256, size);
}

} // namespace kbuild::publish
