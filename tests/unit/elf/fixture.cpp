#include <cstdio>

extern "C" {
int fixture_data[3] = {1, 2, 3};
thread_local int fixture_thread_data = 4;
__attribute__((weak)) int fixture_weak() {
    return 5;
}
int fixture_function() {
    return std::puts("fixture") + fixture_thread_data;
}
}
