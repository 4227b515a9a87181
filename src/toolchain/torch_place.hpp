#pragma once

#include "torch_version.hpp"

#include "kbuild/support/result.hpp"

#include <filesystem>
#include <string>

namespace kbuild::toolchain {

/// A torch that is on this machine already.
struct TorchPlace {
    enum class Kind { python, libtorch, wheel };
    Kind kind = Kind::python;
    std::filesystem::path path; ///< the wheel, or the folder that holds `include` and `lib`
    TorchVersion version;
};

std::string_view to_string(TorchPlace::Kind kind); ///< `python`, `libtorch`, `wheel`

/// What `path` names: a wheel; a libtorch folder; a Python environment, its interpreter, its
/// site-packages or the package `torch` in it. Files are looked at; only where they do not tell (an
/// interpreter outside of an environment, an environment that borrows its torch) the Python is
/// started, which does not import torch. Errors of kind `toolchain` say what was looked for.
support::Result<TorchPlace> find_torch_place(const std::filesystem::path& path);

/// The torch in a `site-packages`; an Error of kind `toolchain` if there is none.
support::Result<TorchPlace> torch_in_site(const std::filesystem::path& site_packages);

/// Changes whenever the files at the place do: names, sizes and times of those that decide.
std::string state_of_place(const TorchPlace& place);

} // namespace kbuild::toolchain
