#include "kbuild/model/sdk.hpp"

namespace kbuild::model {

std::string_view to_string(Origin origin) {
    switch (origin) {
    case Origin::release:
        return "release";
    case Origin::rebuild:
        return "rebuild";
    case Origin::mix:
        return "mix";
    }
    return "";
}

} // namespace kbuild::model
