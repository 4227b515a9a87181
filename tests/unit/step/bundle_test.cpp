#include "kbuild/step/bundle.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using Sizes = std::vector<std::uint64_t>;

namespace {

step::BundleRequest request() {
    return *step::parse_bundle_request({"-type=o",
                                        "-bundle-align=4096",
                                        "-targets=host-x,hipv4-a--gfx942,hipv4-a--gfx90a",
                                        "-input=/dev/null",
                                        "-input=a b.co",
                                        "-input=c=d.co",
                                        "-output=x.hipfb"});
}

std::uint64_t number_at(const std::string& bytes, std::size_t at) {
    std::uint64_t number = 0;
    for (std::size_t i = 8; i-- > 0;)
        number = number << 8U | static_cast<unsigned char>(bytes.at(at + i));
    return number;
}

} // namespace

TEST_CASE("a bundle is asked for as clang-offload-bundler is") {
    const auto asked = request();
    CHECK(asked.alignment == 4096);
    CHECK(asked.targets ==
          std::vector<std::string>{"host-x", "hipv4-a--gfx942", "hipv4-a--gfx90a"});
    CHECK(asked.inputs == std::vector<std::string>{"/dev/null", "a b.co", "c=d.co"});
    CHECK(asked.output == "x.hipfb");
}

TEST_CASE("what kbuild-bundle cannot do is refused") {
    for (const std::vector<std::string_view>& options : {
             std::vector<std::string_view>{},
             {"-type=bc", "-targets=a", "-input=a", "-output=o"},
             {"-type=o", "-targets=a", "-input=a", "-output=o", "-compress"},
             {"-type=o", "-targets=a", "-input=a", "-output=o", "-unbundle=1"},
             {"-type=o", "-targets=a,b", "-input=a", "-output=o"},
             {"-type=o", "-targets=a", "-input=a"},
             {"-type=o", "-bundle-align=0", "-targets=a", "-input=a", "-output=o"},
             {"-type=o", "-bundle-align=4k", "-targets=a", "-input=a", "-output=o"},
         })
        CHECK_FALSE(step::parse_bundle_request(options));
}

TEST_CASE("each input stands at a multiple of the alignment, and the header says where") {
    const auto layout = step::lay_out(request(), {0, 5000, 1});
    CHECK(layout.offsets == Sizes{4096, 4096, 12288});
    const auto& header = layout.header;
    CHECK(header.starts_with("__CLANG_OFFLOAD_BUNDLE__"));
    CHECK(number_at(header, 24) == 3);
    CHECK(number_at(header, 32) == 4096);
    CHECK(number_at(header, 40) == 0);
    CHECK(number_at(header, 48) == 6);
    CHECK(header.substr(56, 6) == "host-x");
    CHECK(number_at(header, 62) == 4096);
    CHECK(number_at(header, 70) == 5000);
    CHECK(header.substr(86, 15) == "hipv4-a--gfx942");
    CHECK(number_at(header, 101) == 12288);
    CHECK(number_at(header, 109) == 1);
    CHECK(header.ends_with("hipv4-a--gfx90a"));
}

TEST_CASE("a header longer than the alignment moves the inputs") {
    auto long_name = request();
    long_name.targets[1] = std::string(5000, 'x');
    CHECK(step::lay_out(long_name, {0, 1, 1}).offsets == Sizes{8192, 8192, 12288});
}
