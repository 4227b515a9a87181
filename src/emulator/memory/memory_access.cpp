#include "kbuild/emulator/memory_access.hpp"

#include <algorithm>

namespace kbuild::emulator {

void add_access(std::vector<MemoryAccess>& all, const MemoryAccess& access) {
    for (auto& known : all)
        if (known.write == access.write && known.allocation == access.allocation) {
            known.begin = std::min(known.begin, access.begin);
            known.end = std::max(known.end, access.end);
            return;
        }
    all.push_back(access);
}

} // namespace kbuild::emulator
