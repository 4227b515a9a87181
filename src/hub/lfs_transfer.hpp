#pragma once

#include "kbuild/hub/lfs.hpp"

namespace kbuild::hub {

/// An object that the server lacks, with where it wants it.
struct Transfer {
    LfsObject object;
    LfsObjectAnswer answer; ///< has `upload`
};

/// An object that did not arrive, though it may with new addresses.
struct Unsent {
    LfsObject object;
    support::Error reason;
};

/// Sends all parts of all objects, kTransfers at a time; whoever sends the last part of an object
/// completes and verifies it. An Error is one that new addresses do not mend.
support::Result<std::vector<Unsent>> transfer(const Connection& connection,
                                              const LfsRemote& remote,
                                              const std::vector<Transfer>& transfers,
                                              const LfsEvents& events);

} // namespace kbuild::hub
