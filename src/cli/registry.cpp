#include "commands.hpp"

namespace kbuild::cli {

std::vector<Command> commands() {
    // clang-format off: one line each, in the order of the help text
    return {
        init_command(),
        check_command(),
        migrate_command(),
        list_variants_command(),
        toolchain_command(),
        doctor_command(),
        hipify_command(),
        build_command(),
        test_command(),
        shell_command(),
        generate_command(),
        inspect_command(),
        verify_command(),
        audit_command(),
        upload_command(),
        versions_command(),
        download_command(),
        lock_command(),
        wheel_command(),
        whoami_command(),
        emulate_command(),
        clean_command(),
        cache_command(),
        explain_command(),
        completions_command(),
    };
    // clang-format on
}

} // namespace kbuild::cli
