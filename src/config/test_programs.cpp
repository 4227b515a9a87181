#include "kbuild/config/test_programs.hpp"

#include "decode_parts.hpp"
#include "settings_file.hpp"

namespace kbuild::config {

support::Result<Strings> load_test_programs(const std::filesystem::path& root, diag::Sink& sink) {
    KB_TRY_ASSIGN(table, read_settings_file(root, sink));
    return table ? strings_of(table->get_table("test"), "programs") : Strings();
}

} // namespace kbuild::config
