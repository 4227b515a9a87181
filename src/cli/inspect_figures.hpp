#pragma once

#include "kbuild/inspect/device_code.hpp"
#include "kbuild/inspect/host_code.hpp"

#include <string>
#include <vector>

/// What inspect shows of kernels and files, as words: the same in the text and on the page.
namespace kbuild::cli {

/// The heading of a kernel's figures, from its architecture to its matrix instructions.
std::vector<std::string> figure_columns();

std::string spills(const inspect::KernelResources& kernel);       ///< `3 VGPR, 1 SGPR`, `0`
std::string scratch(const inspect::KernelResources& kernel);      ///< `20`; `20+` if it may grow
std::string matrix_share(const inspect::KernelResources& kernel); ///< `12 (3 %)`, `?`

/// `?` each for an architecture whose compute units are not known.
struct WaveFigures {
    std::string per_simd = "?";
    std::string per_cu = "?";
    std::string limit = "?"; ///< what keeps more waves out
};
WaveFigures wave_figures(const inspect::KernelResources& kernel, const model::GfxArch& arch);

/// `gfx942 (v5); 4 kernels, 1 code object, compressed`.
std::string summary(const inspect::DeviceCode& code);

/// One line each for soname, needed libraries, run paths, versions, symbols, Python module; those
/// that there is something to say of.
std::vector<std::string> host_lines(const inspect::HostCode& host);

/// At most so many sections, the largest first.
std::vector<inspect::HostCode::SectionSize> largest_sections(const inspect::HostCode& host,
                                                             std::size_t count);

/// `1.5 MiB`, `320 B`.
std::string readable_size(std::uint64_t bytes);

} // namespace kbuild::cli
