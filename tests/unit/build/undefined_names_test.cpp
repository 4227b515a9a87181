#include "undefined_names.hpp"

#include <catch2/catch.hpp>

using namespace kbuild;
using build::parse_undefined;
using build::UndefinedReference;
using References = std::vector<UndefinedReference>;

TEST_CASE("GNU ld's message names object, function and symbol") {
    const auto said = R"(/usr/bin/ld: host/a.dir/csrc/x.cpp.o: in function `_Z1fi':
x.cpp:(.text._Z1fi+0x5): undefined reference to `strerrordesc_np'
/usr/bin/ld: x.cpp:(.text._Z1fi+0x15): undefined reference to `arc4random_uniform'
/usr/bin/ld: host/a.dir/csrc/y.cpp.o: in function `_Z1gi':
y.cpp:(.text._Z1gi+0x5): undefined reference to `strerrordesc_np'
collect2: error: ld returned 1 exit status
)";
    CHECK(parse_undefined(said) ==
          References{{"arc4random_uniform", "host/a.dir/csrc/x.cpp.o", "_Z1fi"},
                     {"strerrordesc_np", "host/a.dir/csrc/x.cpp.o", "_Z1fi"}});
}

TEST_CASE("a reference from data has an object and no function") {
    const auto said =
        "/usr/bin/ld: a.dir/x.cpp.o:(.data.rel+0x0): undefined reference to `close_range'\n";
    CHECK(parse_undefined(said) == References{{"close_range", "a.dir/x.cpp.o", ""}});
}

TEST_CASE("lld's message is understood as well") {
    const auto said = R"(ld.lld: error: undefined symbol: strerrordesc_np
>>> referenced by x.cpp
>>>               host/a.dir/csrc/x.cpp.o:(_Z1fi)
>>> referenced by y.cpp
>>>               host/a.dir/csrc/y.cpp.o:(_Z1gi)

ld.lld: error: undefined symbol: close_range
>>> referenced by x.cpp
>>>               host/a.dir/csrc/x.cpp.o:(_Z1hv)
)";
    CHECK(parse_undefined(said) ==
          References{{"close_range", "host/a.dir/csrc/x.cpp.o", "_Z1hv"},
                     {"strerrordesc_np", "host/a.dir/csrc/x.cpp.o", "_Z1fi"}});
}

TEST_CASE("other messages are none") {
    CHECK(parse_undefined("").empty());
    CHECK(parse_undefined("/usr/bin/ld: cannot find -lfoo\n").empty());
}
