#pragma once

namespace kbuild::support {

/// Makes SIGINT and SIGTERM ask for an orderly stop instead of ending the process, and a pipe
/// without reader or a file at its limit an error of the write; call once, from main.
void install_stop_signals();

/// The signal that asked to stop, 0 if none did.
int stop_signal();

/// How often a stop was asked for: who asks twice does not want to wait.
int stop_count();

/// A descriptor that becomes readable when a stop is asked for; -1 before install_stop_signals().
int stop_descriptor();

} // namespace kbuild::support
