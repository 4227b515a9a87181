#include "hip/stream_order.hpp"

#include <catch2/catch.hpp>

using namespace kbuild::emulator::hip;
using kbuild::emulator::MemoryAccess;

namespace {

constexpr std::uint64_t kBlock = 0x1000;
MemoryAccess reads(std::uint64_t first = 0, std::uint64_t last = 64) {
    return {kBlock, kBlock + first, kBlock + last, false};
}
MemoryAccess writes(std::uint64_t first = 0, std::uint64_t last = 64) {
    return {kBlock, kBlock + first, kBlock + last, true};
}

/// Two streams that do not wait for the null stream, and the null stream.
struct Scene {
    StreamOrder order;
    Actor null = order.add_null_stream(0);
    Actor a = order.add_stream(0, false);
    Actor b = order.add_stream(0, false);
};

} // namespace

TEST_CASE("operations of one stream are in order", "[streams]") {
    Scene s;
    CHECK(s.order.operate(s.a, "fill", {writes()}).empty());
    CHECK(s.order.operate(s.a, "sum", {reads()}).empty());
    CHECK(s.order.operate(s.a, "fill", {writes()}).empty());
}

TEST_CASE("a write on one stream and a read on another are in none", "[streams]") {
    Scene s;
    CHECK(s.order.operate(s.a, "fill", {writes()}).empty());
    const auto found = s.order.operate(s.b, "sum", {reads()});
    REQUIRE(found.size() == 1);
    CHECK(found[0].earlier == "fill");
    CHECK(found[0].earlier_actor == s.a);
    CHECK(found[0].earlier_writes);
    CHECK_FALSE(found[0].access.write);
}

TEST_CASE("nor are a read and a later write", "[streams]") {
    Scene s;
    CHECK(s.order.operate(s.a, "sum", {reads()}).empty());
    CHECK(s.order.operate(s.b, "fill", {writes()}).size() == 1);
}

TEST_CASE("two reads need no order, nor do accesses of different bytes", "[streams]") {
    Scene s;
    CHECK(s.order.operate(s.a, "sum", {reads()}).empty());
    CHECK(s.order.operate(s.b, "sum", {reads()}).empty());
    CHECK(s.order.operate(s.a, "fill", {writes(64, 128)}).empty());
    CHECK(s.order.operate(s.b, "fill", {writes(128, 192)}).empty());
}

TEST_CASE("an event that the other stream waits for puts them in order", "[streams]") {
    Scene s;
    s.order.operate(s.a, "fill", {writes()});
    const auto event = s.order.record(s.a);
    s.order.wait(s.b, event);
    CHECK(s.order.operate(s.b, "sum", {reads()}).empty());
}

TEST_CASE("an event recorded before the write does not", "[streams]") {
    Scene s;
    const auto event = s.order.record(s.a);
    s.order.operate(s.a, "fill", {writes()});
    s.order.wait(s.b, event);
    CHECK(s.order.operate(s.b, "sum", {reads()}).size() == 1);
}

TEST_CASE("order goes on from stream to stream", "[streams]") {
    Scene s;
    const Actor c = s.order.add_stream(0, false);
    s.order.operate(s.a, "fill", {writes()});
    s.order.wait(s.b, s.order.record(s.a));
    s.order.wait(c, s.order.record(s.b));
    CHECK(s.order.operate(c, "sum", {reads()}).empty());
}

TEST_CASE("what the host waited for comes before all that it starts then", "[streams]") {
    Scene s;
    s.order.operate(s.a, "fill", {writes()});
    SECTION("the stream") {
        s.order.host_waits_for_stream(s.a);
    }
    SECTION("an event") {
        s.order.host_waits_for(s.order.record(s.a));
    }
    SECTION("the device") {
        s.order.host_waits_for_device(0);
    }
    CHECK(s.order.operate(s.b, "sum", {reads()}).empty());
}

TEST_CASE("waiting for another stream or device does not help", "[streams]") {
    Scene s;
    s.order.operate(s.a, "fill", {writes()});
    s.order.host_waits_for_stream(s.b);
    s.order.host_waits_for_device(1);
    CHECK(s.order.operate(s.b, "sum", {reads()}).size() == 1);
}

TEST_CASE("the null stream and blocking streams wait for each other", "[streams]") {
    Scene s;
    const Actor blocking = s.order.add_stream(0, true);
    s.order.operate(blocking, "fill", {writes()});
    CHECK(s.order.operate(s.null, "sum", {reads()}).empty());
    CHECK(s.order.operate(s.null, "fill", {writes()}).empty());
    CHECK(s.order.operate(blocking, "sum", {reads()}).empty());
    CHECK(s.order.operate(s.a, "sum", {reads()}).size() == 1); // this one does not
}

TEST_CASE("the null stream of another device is another stream", "[streams]") {
    Scene s;
    const Actor other = s.order.add_null_stream(1);
    s.order.operate(s.null, "fill", {writes()});
    CHECK(s.order.operate(other, "sum", {reads()}).size() == 1);
}

TEST_CASE("memory that was freed has no history", "[streams]") {
    Scene s;
    s.order.operate(s.a, "fill", {writes()});
    s.order.forget(kBlock);
    CHECK(s.order.operate(s.b, "sum", {reads()}).empty());
}

TEST_CASE("a disorder is told once, not for each later access", "[streams]") {
    Scene s;
    s.order.operate(s.a, "fill", {writes()});
    CHECK(s.order.operate(s.b, "fill", {writes()}).size() == 1);
    CHECK(s.order.operate(s.b, "sum", {reads()}).empty());
}
