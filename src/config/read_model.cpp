#include "read_model.hpp"

#include "decode.hpp"
#include "portability.hpp"
#include "schema.hpp"
#include "semantics.hpp"
#include "validate.hpp"

namespace kbuild::config {

BuildConfig read_model(const Value& root, int edition, diag::Sink& sink) {
    validate(root, build_schema_of(edition), edition, sink);
    auto config = decode_build(root, edition);
    check_semantics(root, config, sink);
    check_portability(root, sink);
    return config;
}

} // namespace kbuild::config
