// Reads schemas from stdin, each ended by a NUL byte, and prints `1` for those that
// kbuild::check::check_op_schema takes and `0` for the others, one line each.

#include "kbuild/check/op_schema.hpp"

#include <iostream>
#include <iterator>
#include <string>

int main() {
    const std::string input((std::istreambuf_iterator<char>(std::cin)),
                            std::istreambuf_iterator<char>());
    std::size_t begin = 0;
    for (auto end = input.find('\0'); end != std::string::npos; end = input.find('\0', begin)) {
        const auto schema = input.substr(begin, end - begin);
        std::cout << (kbuild::check::check_op_schema(schema) ? '0' : '1') << '\n';
        begin = end + 1;
    }
    return 0;
}
