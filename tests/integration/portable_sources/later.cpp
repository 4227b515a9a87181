// What g++ 13 to 16 and the headers of their glibc refer to, and what older systems do not have.
#include "checks.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cwchar>
#include <format>
#include <iostream>
#include <limits>
#include <memory_resource>
#include <new>
#include <sstream>
#include <vector>

namespace {

// __isoc23_strtol and its like
void check_c_numbers() {
    char* end = nullptr;
    CHECK(std::strtol("42 rest", &end, 10) == 42 && *end == ' ');
    CHECK(std::strtoull("ff", nullptr, 16) == 255);
    CHECK(strtoimax("-7", nullptr, 0) == -7);
    CHECK(std::wcstol(L"12", nullptr, 8) == 10);
    int a = 0;
    double b = 0;
    CHECK(std::sscanf("3 2.5", "%d %lf", &a, &b) == 2 && a == 3 && b == 2.5);
    CHECK(std::stoi("77") == 77);
    std::FILE* const file = std::tmpfile();
    CHECK(file != nullptr);
    std::fputs("9 ", file);
    std::rewind(file);
    CHECK(std::fscanf(file, "%d", &a) == 1 && a == 9);
    std::fclose(file);
}

void check_format() {
    CHECK(std::format("{:>6.2f}|{:#x}|{}", 3.14159, 255, "text") == "  3.14|0xff|text");
    bool refused = false;
    try {
        const int width = -1;
        (void)std::vformat("{:{}}", std::make_format_args("x", width));
    } catch (const std::format_error&) {
        refused = true;
    }
    CHECK(refused);
}

struct Guard {
    int& count;
    ~Guard() { ++count; }
};

// A handler of noexcept: __cxa_call_terminate
int through_noexcept(int (*call)(), int& count) noexcept {
    const Guard guard{count};
    return call();
}

void check_exceptions() {
    int count = 0;
    CHECK(through_noexcept([] { return 5; }, count) == 5 && count == 1);
    bool refused = false;
    try {
        volatile long size = -1;
        delete[] new int[static_cast<std::size_t>(size)];
    } catch (const std::bad_array_new_length&) {
        refused = true;
    }
    CHECK(refused);
}

void check_library() {
    std::pmr::monotonic_buffer_resource memory;
    std::pmr::vector<std::pmr::string> words(&memory);
    words.emplace_back("a word that is longer than a small string");
    CHECK(words.front().get_allocator().resource() == &memory);
    std::ostringstream text(std::string("ab"), std::ios_base::ate);
    text << 0.1F << ' ' << std::numeric_limits<long double>::max_digits10;
    CHECK(text.view().starts_with("ab0.1 "));
    std::cout << "later" << std::endl;
    CHECK(std::cout.good());
}

} // namespace

void run_checks() {
    check_c_numbers();
    check_format();
    check_exceptions();
    check_library();
}
