#include "transfer_line.hpp"

#include <catch2/catch.hpp>

using kbuild::cli::transfer_text;

TEST_CASE("a transfer tells its rate and the time left, once there is something to tell") {
    CHECK(transfer_text(0, 80'000'000, 3, 0.0) == "0 B of 80.0 MB in 3 objects");
    CHECK(transfer_text(0, 80'000'000, 3, 10.0) == "0 B of 80.0 MB in 3 objects");
    CHECK(transfer_text(20'000'000, 80'000'000, 1, 5.0) ==
          "20.0 MB of 80.0 MB in 1 object, 4.0 MB/s, 15 s left");
    CHECK(transfer_text(90'000'000, 80'000'000, 1, 5.0) ==
          "90.0 MB of 80.0 MB in 1 object, 18.0 MB/s, 0 s left");
}
