#include "device_code_builder.hpp"

#include "kbuild/inspect/device_code.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using inspect::read_bundles;
using test::Method;

namespace {

const std::string kHost = "host-x86_64-unknown-linux-gnu-";
const std::string kGfx942 = "hipv4-amdgcn-amd-amdhsa--gfx942";

std::string small_bundle() {
    return test::plain_bundle({{kHost, ""}, {kGfx942, "device code"}}, 64);
}

std::string message_of(const std::string& bytes, const inspect::Limits& limits = {}) {
    const auto bundles = read_bundles(bytes, limits);
    REQUIRE_FALSE(bundles);
    CHECK(bundles.error().kind == support::ErrorKind::content);
    return bundles.error().to_string();
}

void put_u64(std::string& bytes, std::size_t at, std::uint64_t value) {
    std::memcpy(bytes.data() + at, &value, sizeof(value));
}

} // namespace

TEST_CASE("a plain bundle gives its entries in the file's order") {
    const auto bytes = small_bundle();
    const auto bundles = read_bundles(bytes);
    REQUIRE(bundles);
    REQUIRE(bundles->size() == 1);
    const auto& bundle = bundles->front();
    CHECK_FALSE(bundle.compressed);
    REQUIRE(bundle.entries.size() == 2);
    CHECK(bundle.entries[0].target == kHost);
    CHECK(bundle.entries[0].bytes.empty());
    CHECK(bundle.entries[1].target == kGfx942);
    CHECK(bundle.entries[1].bytes == "device code");
}

TEST_CASE("bundles of all kinds may follow each other with zeros between them") {
    const auto version = GENERATE(1, 2, 3);
    const auto method = GENERATE(Method::zlib, Method::zstd);
    auto bytes = small_bundle();
    bytes.resize(8192, '\0');
    bytes += test::compressed_bundle(small_bundle(), version, method);
    bytes.resize(3 * 8192, '\0');
    bytes += small_bundle();
    bytes.resize(4 * 8192, '\0');
    const auto bundles = read_bundles(bytes);
    REQUIRE(bundles);
    REQUIRE(bundles->size() == 3);
    CHECK_FALSE((*bundles)[0].compressed);
    CHECK((*bundles)[1].compressed);
    CHECK((*bundles)[1].entries[1].bytes == "device code");
    CHECK((*bundles)[2].entries[1].bytes == "device code");
}

TEST_CASE("entries of a compressed bundle stay valid when the bundle is copied") {
    const auto bytes = test::compressed_bundle(small_bundle(), 2, Method::zstd);
    inspect::Bundle copy;
    {
        const auto bundles = read_bundles(bytes);
        REQUIRE(bundles);
        copy = bundles->front();
    }
    CHECK(copy.entries[1].bytes == "device code");
}

TEST_CASE("nothing, or only zeros, is no bundle and no error") {
    CHECK(read_bundles("")->empty());
    CHECK(read_bundles(std::string(4096, '\0'))->empty());
}

TEST_CASE("bytes that are no bundle are refused with their offset, also after a good one") {
    CHECK(message_of("hello").find("offset 0x0") != std::string::npos);
    auto bytes = small_bundle();
    bytes.resize(4096, '\0');
    CHECK(message_of(bytes + "junk").find("offset 0x1000") != std::string::npos);
}

TEST_CASE("every truncation of a bundle is an error, not a crash and not a shorter list") {
    const auto version = GENERATE(0, 1, 2, 3);
    const auto method = GENERATE(Method::zlib, Method::zstd);
    const auto whole =
        version == 0 ? small_bundle() : test::compressed_bundle(small_bundle(), version, method);
    for (std::size_t length = 1; length < whole.size(); ++length)
        CHECK_FALSE(read_bundles(whole.substr(0, length)));
}

TEST_CASE("numbers of a hostile bundle are checked before they are used") {
    auto bytes = small_bundle();
    SECTION("an entry count beyond all bounds") {
        put_u64(bytes, 24, ~std::uint64_t{0});
        CHECK(message_of(bytes).find("bundle") != std::string::npos);
    }
    SECTION("an offset that wraps around") {
        put_u64(bytes, 32, ~std::uint64_t{0});
        CHECK(message_of(bytes).find("outside") != std::string::npos);
    }
    SECTION("a size that wraps around") {
        put_u64(bytes, 40, ~std::uint64_t{0} - 8);
        CHECK(message_of(bytes).find("outside") != std::string::npos);
    }
    SECTION("a target name without end") {
        put_u64(bytes, 48, std::uint64_t{1} << 40U);
        CHECK(message_of(bytes).find("target name") != std::string::npos);
    }
}

TEST_CASE("entries that overlap are refused: they would multiply the work") {
    auto bytes = test::plain_bundle({{"a", std::string(4000, 'x')}, {"b", "y"}}, 8);
    // The second entry gets the place and size of the first.
    std::memcpy(bytes.data() + 32 + 25, bytes.data() + 32, 16);
    CHECK(message_of(bytes).find("overlap") != std::string::npos);
}

TEST_CASE("a compressed bundle that does not unpack to what it says is refused") {
    const auto method = GENERATE(Method::zlib, Method::zstd);
    const auto plain = small_bundle();
    auto bytes = test::compressed_bundle(plain, 2, method);
    const auto claim = [&bytes](std::uint32_t size) { std::memcpy(bytes.data() + 12, &size, 4); };
    SECTION("less") {
        claim(static_cast<std::uint32_t>(plain.size() - 1));
        CHECK(message_of(bytes).find("does not come to") != std::string::npos);
    }
    SECTION("more") {
        claim(static_cast<std::uint32_t>(plain.size() + 1));
        CHECK(message_of(bytes).find("does not come to") != std::string::npos);
    }
    SECTION("more than the limit, which is refused before anything is unpacked") {
        CHECK(message_of(bytes, {plain.size() - 1}).find("limit") != std::string::npos);
    }
}

TEST_CASE("the limit counts all bundles of a file together") {
    const auto plain = small_bundle();
    const auto packed = test::compressed_bundle(plain, 2, Method::zstd);
    CHECK(read_bundles(packed + packed, {2 * plain.size()}));
    CHECK_FALSE(read_bundles(packed + packed, {2 * plain.size() - 1}));
}

TEST_CASE("unknown format versions and methods are named") {
    auto bytes = test::compressed_bundle(small_bundle(), 2, Method::zstd);
    SECTION("version") {
        bytes[4] = 9;
        CHECK(message_of(bytes).find("format version 9") != std::string::npos);
    }
    SECTION("method") {
        bytes[6] = 5;
        CHECK(message_of(bytes).find("method 5") != std::string::npos);
    }
    SECTION("something else than a bundle is compressed") {
        bytes = test::compressed_bundle("just text", 2, Method::zlib);
        CHECK(message_of(bytes).find("no bundle") != std::string::npos);
    }
}

TEST_CASE("the architecture is found in the targets of old and new compilers") {
    const auto arch = [](std::string_view target) {
        const auto found = inspect::arch_of_target(target);
        return found ? found->to_string() : std::string("none");
    };
    CHECK(arch("hipv4-amdgcn-amd-amdhsa--gfx942") == "gfx942");
    CHECK(arch("hip-amdgcn-amd-amdhsa-gfx906") == "gfx906");
    CHECK(arch("hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-") == "gfx90a:sramecc+:xnack-");
    CHECK(arch("hipv4-amdgcn-amd-amdhsa--gfx9-4-generic") == "none");
    CHECK(arch("hip-spirv64-amd-amdhsa-unknown-amdgcnspirv") == "none");
    CHECK(arch("host-x86_64-unknown-linux-gnu-") == "none");
}
