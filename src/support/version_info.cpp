#include "kbuild/support/version_info.hpp"

#include "version_data.hpp"

namespace kbuild::support {

VersionInfo version_info() {
    return {KBUILD_VERSION, KBUILD_COMMIT, KBUILD_DIRTY};
}

} // namespace kbuild::support
