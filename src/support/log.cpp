#include "kbuild/support/log.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace kbuild::support {

void set_log_level(LogLevel level) {
    if (!spdlog::get("kbuild")) {
        spdlog::set_default_logger(spdlog::stderr_logger_mt("kbuild"));
        spdlog::set_pattern("[%H:%M:%S.%e] %v");
    }
    switch (level) {
    case LogLevel::off:
        spdlog::set_level(spdlog::level::off);
        break;
    case LogLevel::info:
        spdlog::set_level(spdlog::level::info);
        break;
    case LogLevel::debug:
        spdlog::set_level(spdlog::level::debug);
        break;
    }
}

void log_info(std::string_view message) {
    spdlog::info("{}", message);
}

void log_debug(std::string_view message) {
    spdlog::debug("{}", message);
}

} // namespace kbuild::support
