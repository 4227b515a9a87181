#pragma once

#include <cstdint>

namespace kbuild::step {

/// How a compile ended.
struct Ended {
    int status = 0;         ///< as waitpid() gives it
    std::uint64_t peak = 0; ///< bytes that the largest of its processes held
    int stopped_by = 0;     ///< the signal that asked this process to stop; 0: none
    bool killed = false;    ///< it or a process of its own was killed with SIGKILL, not by us
    int said = -1;          ///< what it said, as a file; -1: it went where it goes
    int complained = -1;    ///< its stderr, if that goes elsewhere than stdout
};

/// Runs a program to its end. What it says is kept back, so that a first try can be forgotten; on a
/// terminal it is not. Stop signals are passed on; 3 s later the rest is killed.
Ended run_child(char* const* command);

/// Writes what was kept back to where it belongs, and closes it.
void say(Ended& ended);
void forget(Ended& ended);

} // namespace kbuild::step
