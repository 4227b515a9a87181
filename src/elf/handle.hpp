#pragma once

#include <libelf.h>

#include <memory>
#include <unistd.h>

namespace kbuild::elf {

struct CloseElf {
    void operator()(Elf* elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, CloseElf>;

/// A file, open as long as this is.
class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (fd_ >= 0)
            ::close(fd_);
    }
    int get() const { return fd_; }

  private:
    int fd_;
};

} // namespace kbuild::elf
