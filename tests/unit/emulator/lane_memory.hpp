#pragma once

#include "one_instruction.hpp"

#include <cstring>

namespace kbuild::emulator {

inline constexpr u64 kExecOn = 0xfffffff0ffff00f7; ///< some lanes are off
inline constexpr u32 kPitch = 16;                  ///< bytes of memory per lane

/// Memory in which each lane has its own 16 bytes, in whatever space an instruction is for.
class LaneMemory {
  public:
    explicit LaneMemory(const std::string& name) : space_(name.substr(0, name.find('_'))) {
        one.wave.set_scalar64(kExec, kExecOn);
        one.group.scratch = bytes_.data();
        one.group.scratch_bytes = kPitch;
        for (u32 lane = 0; lane < kLanes; ++lane)
            set_address(lane);
        const auto base = reinterpret_cast<u64>(bytes_.data());
        one.wave.set_scalar64(4, base);
        one.wave.s[6] = kLanes * kPitch;
        for (u32 i = 0; i < kLanes * kPitch; ++i)
            memory()[i] = static_cast<u8>(i * 37 + i / 16 * 11 + 129);
        for (u32 row = 8; row < 24; ++row)
            for (u32 lane = 0; lane < kLanes; ++lane)
                one.wave.v[row].lane[lane] = edge(row * 5 + lane) ^ (row << 20U);
    }

    u8* memory() { return space_ == "ds" ? one.group.lds : bytes_.data(); }
    template <class T> T at(u32 lane, u32 offset = 0) {
        T value;
        std::memcpy(&value, memory() + kPitch * std::size_t{lane} + offset, sizeof value);
        return value;
    }
    template <class T> void put(u32 lane, T value) {
        std::memcpy(memory() + kPitch * std::size_t{lane}, &value, sizeof value);
    }
    /// The instruction's text with its operands; `data` is loaded or stored.
    std::string load(const std::string& name, const std::string& data) const {
        return name + " " + data + ", " + address();
    }
    std::string store(const std::string& name, const std::string& data) const {
        if (space_ == "buffer")
            return name + " " + data + ", " + address();
        const std::string all = address();
        const auto comma = all.find(", ");
        return comma == std::string::npos
                   ? name + " " + all + ", " + data
                   : name + " " + all.substr(0, comma) + ", " + data + all.substr(comma);
    }

    OneWave one;

  private:
    std::string address() const {
        if (space_ == "global")
            return "v[2:3], off";
        if (space_ == "flat")
            return "v[2:3]";
        if (space_ == "scratch")
            return "v2, off";
        return space_ == "buffer" ? "v2, s[4:7], 0 offen" : "v2";
    }
    void set_address(u32 lane) {
        u64 address = kPitch * u64{lane};
        if (space_ == "global" || space_ == "flat")
            address += reinterpret_cast<u64>(bytes_.data());
        if (space_ == "scratch")
            address = 0;
        one.wave.v[2].lane[lane] = static_cast<u32>(address);
        one.wave.v[3].lane[lane] = static_cast<u32>(address >> 32U);
    }

    std::string space_;
    alignas(16) std::array<u8, std::size_t{kLanes} * kPitch> bytes_{};
};

inline std::string registers(u32 first, u32 words) {
    return words == 1
               ? "v" + std::to_string(first)
               : "v[" + std::to_string(first) + ":" + std::to_string(first + words - 1) + "]";
}

inline bool is_on(u32 lane) {
    return (kExecOn >> lane & 1U) != 0;
}

} // namespace kbuild::emulator
