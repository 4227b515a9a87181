#include "transfer_line.hpp"

#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace kbuild::cli {

using std::chrono::steady_clock;

std::string
transfer_text(std::uint64_t done, std::uint64_t total, std::size_t objects, double seconds) {
    std::string text = fmt::format("{} of {} in {}",
                                   support::human_size(done),
                                   support::human_size(total),
                                   support::plural(objects, "object"));
    if (seconds < 1 || done == 0)
        return text;
    const auto rate = static_cast<double>(done) / seconds;
    const auto left = static_cast<double>(total - std::min(done, total)) / rate;
    return text + fmt::format(", {}/s, {:.0f} s left",
                              support::human_size(static_cast<std::uintmax_t>(rate)),
                              left);
}

TransferLine::TransferLine(const Context& context, std::string verb)
    : context_(context), verb_(std::move(verb)),
      terminal_(::isatty(STDERR_FILENO) != 0 && context.globals().verbosity >= 0) {}

void TransferLine::start(std::uint64_t bytes, std::size_t objects) {
    total_ = bytes;
    objects_ = objects;
    done_ = 0;
    start_ = shown_ = steady_clock::now();
}

void TransferLine::add(std::int64_t bytes) {
    const auto done = done_ += bytes;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock)
        return;
    const auto now = steady_clock::now();
    const auto pace = terminal_ ? std::chrono::milliseconds(100) : std::chrono::seconds(30);
    if (now - shown_ < pace)
        return;
    shown_ = now;
    show(static_cast<std::uint64_t>(std::max<std::int64_t>(done, 0)),
         std::chrono::duration<double>(now - start_).count());
}

void TransferLine::show(std::uint64_t done, double seconds) const {
    const auto text = fmt::format("{} {}", verb_, transfer_text(done, total_, objects_, seconds));
    if (terminal_)
        std::fputs(("\r\033[K" + text).c_str(), stderr);
    else
        context_.say(text);
}

void TransferLine::finish() {
    if (terminal_)
        std::fputs("\r\033[K", stderr);
}

} // namespace kbuild::cli
