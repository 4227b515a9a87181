#pragma once

#include <string_view>

namespace kbuild::support {

/// How much of the developer's log goes to stderr.
enum class LogLevel { off, info, debug };

/// The log is for developers (`-vv`); what users read goes through diag::Sink and ui.
void set_log_level(LogLevel level);
void log_info(std::string_view message);
void log_debug(std::string_view message);

} // namespace kbuild::support
