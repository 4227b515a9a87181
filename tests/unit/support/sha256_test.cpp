#include "kbuild/support/file.hpp"
#include "kbuild/support/sha256.hpp"
#include "kbuild/support/temp_dir.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace kbuild::support;

TEST_CASE("SHA-256 gives the digests of FIPS 180-2") {
    CHECK(to_hex(sha256("abc")) ==
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(to_hex(sha256("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("base64 is the standard alphabet with padding") {
    CHECK(to_base64(sha256("")) == "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
}

TEST_CASE("a file has the digest of its bytes") {
    const auto folder = TempDir::create(std::filesystem::temp_directory_path(), "kbuild-sha-");
    REQUIRE(folder);
    const auto path = folder->path() / "data";
    const std::string bytes(100'000, 'x');
    REQUIRE(write_file_atomically(path, bytes));
    const auto digest = sha256_file(path);
    REQUIRE(digest);
    CHECK(*digest == sha256(bytes));
    CHECK_FALSE(sha256_file(folder->path() / "absent"));
}

TEST_CASE("a fingerprint tells fields apart, however they are cut") {
    const auto of =
        [](std::initializer_list<std::pair<std::string_view, std::string_view>> fields) {
            Fingerprint fingerprint;
            for (const auto& [name, value] : fields)
                fingerprint.add(name, value);
            return fingerprint.hex();
        };
    CHECK(of({{"a", "bc"}}) != of({{"ab", "c"}}));
    CHECK(of({{"flag", "a"}, {"flag", "bc"}}) != of({{"flag", "ab"}, {"flag", "c"}}));
    CHECK(of({{"flag", "a"}, {"flag", "b"}}) != of({{"flag", "b"}, {"flag", "a"}}));
    CHECK(of({{"flag", ""}}) != of({}));
    CHECK(of({{"a", "1\nb=2"}}) != of({{"a", "1"}, {"b", "2"}}));
    CHECK(of({{"a", std::string_view("x\0y", 3)}}) != of({{"a", "x"}}));
    CHECK(of({{"a", "1"}}) == of({{"a", "1"}}));
}

TEST_CASE("a fingerprint may be read and then added to") {
    Fingerprint fingerprint;
    fingerprint.add("a", "1");
    const auto first = fingerprint.hex();
    CHECK(first.size() == 64);
    CHECK(fingerprint.hex() == first);
    fingerprint.add("b", "2");
    CHECK(fingerprint.hex() != first);
}
