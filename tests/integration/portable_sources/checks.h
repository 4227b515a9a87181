#pragma once

#include <stdexcept>
#include <string>

/// Throws what is wrong.
void run_checks();

#define CHECK(condition)                                                                     \
    do {                                                                                     \
        if (!(condition))                                                                    \
            throw std::logic_error("line " + std::to_string(__LINE__) + ": " #condition);    \
    } while (false)
