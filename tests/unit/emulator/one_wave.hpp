#pragma once

#include "machine/group.hpp"

#include <memory>

namespace kbuild::emulator {

/// A wave with 128 VGPRs and 64 AGPRs, all lanes on, for running single instructions.
class OneWave : public Environment {
  public:
    OneWave() : registers_(std::make_unique<Register[]>(192)), lds_(std::make_unique<u8[]>(1024)) {
        wave.v = registers_.get();
        wave.registers = 192;
        wave.accumulators = 128;
        wave.group = &group;
        wave.mode = 0xf0;
        wave.set_scalar64(kExec, ~u64{0});
        group.environment = this;
        group.lds = lds_.get();
        group.lds_bytes = 1024;
    }
    u64 admit(Wave& w, const Instruction&) override { return w.access.mask; }
    bool jump(Wave&, u64) override { return false; }

    Wave wave;
    Group group;

  private:
    std::unique_ptr<Register[]> registers_;
    std::unique_ptr<u8[]> lds_;
};

} // namespace kbuild::emulator
