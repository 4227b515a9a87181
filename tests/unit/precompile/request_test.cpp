#include "kbuild/precompile/request.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace kbuild::precompile;

namespace {

Request plain_request() {
    Request request;
    request.compiler = "/sdk/clang++";
    request.identity = "1";
    request.options = {"-O3", "-DA"};
    request.headers = {"torch/all.h", "map"};
    return request;
}

} // namespace

TEST_CASE("a key is 32 hex digits, the same for the same request") {
    const auto key = key_of(plain_request());
    CHECK(key.size() == 32);
    CHECK(key.find_first_not_of("0123456789abcdef") == std::string::npos);
    CHECK(key == key_of(plain_request()));
}

TEST_CASE("each field but the environment changes the key") {
    std::vector<Request> requests(11, plain_request());
    requests[1].pass = Pass::hip_host;
    requests[2].pass = Pass::hip_device;
    requests[3].compiler = "/sdk/clang";
    requests[4].identity = "2";
    requests[5].options = {"-O3"};
    requests[6].options = {"-DA", "-O3"};
    requests[7].headers = {"torch/all.h"};
    requests[8].headers = {"map", "torch/all.h"};
    requests[9].options = {"-O3", "-DA", "torch/all.h"};
    requests[10].options.clear();
    std::set<std::string> keys;
    for (const auto& request : requests)
        keys.insert(key_of(request));
    CHECK(keys.size() == requests.size());
    auto elsewhere = plain_request();
    elsewhere.environment = {{"PATH", "/bin"}};
    CHECK(key_of(elsewhere) == key_of(plain_request()));
}

TEST_CASE("the parts of a key are delimited") {
    auto joined = plain_request();
    joined.options = {"-O3-DA"};
    auto moved = plain_request();
    moved.options = {"-O", "3-DA"};
    auto crossed = plain_request();
    crossed.options = {"-O3", "-DA", "map"};
    crossed.headers = {"torch/all.h"};
    CHECK(std::set<std::string>{
              key_of(plain_request()), key_of(joined), key_of(moved), key_of(crossed)}
              .size() == 4);
}
