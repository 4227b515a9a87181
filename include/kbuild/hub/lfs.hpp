#pragma once

#include "kbuild/hub/api.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace kbuild::hub {

/// An object that is to be on the server: a file and what it is.
struct LfsObject {
    std::string sha256;
    std::uint64_t size = 0;
    std::filesystem::path file;
};

/// A server's LFS endpoint: `https://host/owner/name.git/info/lfs`.
struct LfsRemote {
    std::string url;
    http::Secret authorization; ///< header value; sent to the origin of `url` only
    std::string ref;            ///< `v1`; empty: not said
};

/// The LFS endpoint of a repository of the Hub.
LfsRemote lfs_remote(const Connection& connection, const Repository& repository, std::string ref);

struct LfsEvents {
    std::function<void(std::int64_t)> on_bytes;            ///< body bytes that went out
    std::function<void(const std::string& oid)> on_object; ///< the server has this object now
};

struct LfsSummary {
    std::size_t sent = 0;    ///< objects
    std::size_t present = 0; ///< that the server had
    std::uint64_t bytes = 0; ///< of those sent
};

inline constexpr unsigned kTransfers = 8;

/// Brings objects to the server: asks in batches which it lacks, sends those (plain or in parts,
/// several at a time, from the file), completes and verifies. Expired addresses are asked for
/// anew. Objects of the same content are sent once.
support::Result<LfsSummary> upload_objects(const Connection& connection,
                                           const LfsRemote& remote,
                                           std::vector<LfsObject> objects,
                                           const LfsEvents& events);

} // namespace kbuild::hub
