#include <string>

extern "C" {
int fixture_data = 1;
thread_local int fixture_thread_data = 2;
__attribute__((weak)) int fixture_weak() {
    return 3;
}
int fixture_function() {
    return fixture_thread_data;
}
}

// A C++ name with a type of CUDA, and one with the C++11 ABI.
struct CUstream_st;
struct Stream {
    static int take(CUstream_st* stream);
};
int Stream::take(CUstream_st* stream) {
    return stream == nullptr;
}
std::string fixture_text() {
    return "text";
}
