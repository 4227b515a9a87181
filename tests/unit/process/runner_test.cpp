#include "kbuild/process/runner.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <set>

namespace process = kbuild::process;
using kbuild::support::ErrorKind;

namespace {

process::Command shell(const std::string& script) {
    process::Command command;
    command.program = "/bin/sh";
    command.arguments = {"-c", script};
    command.environment = process::clean_environment();
    return command;
}

} // namespace

TEST_CASE("a program's two streams and its exit code come back") {
    const auto output = process::run(shell("echo out; echo err >&2; exit 3"));
    REQUIRE(output);
    CHECK(output->out == "out\n");
    CHECK(output->err == "err\n");
    CHECK(output->status.code == 3);
    CHECK_FALSE(output->status.ok());
}

TEST_CASE("merged streams keep their order") {
    const auto output = process::run(shell("echo 1; echo 2 >&2; echo 3"), {.merge_stderr = true});
    REQUIRE(output);
    CHECK(output->out == "1\n2\n3\n");
    CHECK(output->err.empty());
}

TEST_CASE("lines are handed out without their end, the last one too") {
    std::vector<std::string> lines;
    process::RunOptions options;
    options.on_line = [&lines](std::string_view line) { lines.emplace_back(line); };
    REQUIRE(process::run(shell("printf 'a\\nb\\nno newline'"), options));
    CHECK(lines == std::vector<std::string>{"a", "b", "no newline"});
}

TEST_CASE("while a program runs and says nothing its pid is handed out again and again") {
    std::vector<int> pids;
    bool ready = false;
    process::RunOptions options;
    options.on_line = [&ready](std::string_view /*line*/) { ready = true; };
    options.on_tick = [&](int pid) {
        pids.push_back(pid);
        if (ready && pids.size() >= 3)
            ::kill(pid, SIGUSR1);
    };
    const auto output =
        process::run(shell("trap 'exit 3' USR1; echo $$; while :; do sleep 0.01; done"), options);
    REQUIRE(output);
    CHECK(output->status.code == 3);
    CHECK(output->out == std::to_string(pids.front()) + "\n");
    CHECK(std::set<int>(pids.begin(), pids.end()).size() == 1);
}

TEST_CASE("a program that dies by a signal is told from one that exits") {
    const auto output = process::run(shell("kill -SEGV $$"));
    REQUIRE(output);
    CHECK(output->status.signal == SIGSEGV);
    CHECK(output->status.describe() == "killed by SIGSEGV");
}

TEST_CASE("a program that does not exist is a toolchain error that names it") {
    process::Command command;
    command.program = "no-such-program-of-kbuild";
    const auto output = process::run(command);
    REQUIRE_FALSE(output);
    CHECK(output.error().kind == ErrorKind::toolchain);
    CHECK(output.error().message.find("no-such-program-of-kbuild") != std::string::npos);
}

TEST_CASE("run_ok turns failure into an error with the end of what was said") {
    const auto output = process::run_ok(shell("echo because >&2; exit 1"), ErrorKind::network);
    REQUIRE_FALSE(output);
    CHECK(output.error().kind == ErrorKind::network);
    CHECK(output.error().message.find("because") != std::string::npos);
}

TEST_CASE("only the end of endless output is kept") {
    process::RunOptions options;
    options.keep_bytes = 1000;
    const auto output =
        process::run(shell("head -c 1000000 /dev/zero | tr '\\0' x; echo end"), options);
    REQUIRE(output);
    CHECK(output->out.size() <= 2000 + 65536);
    CHECK(output->out.substr(output->out.size() - 4) == "end\n");
}

TEST_CASE("a daemon that keeps the pipe open does not keep the caller waiting") {
    const auto output = process::run(shell("sleep 30 & echo started"));
    REQUIRE(output);
    CHECK(output->out == "started\n");
}

TEST_CASE("children get a clean environment") {
    ::setenv("LD_LIBRARY_PATH", "/harmful", 1);
    ::setenv("HIP_PATH", "/harmful", 1);
    const auto output = process::run(shell("echo \"[$LD_LIBRARY_PATH$HIP_PATH]\""));
    const auto ignored = process::ignored_variables();
    ::unsetenv("LD_LIBRARY_PATH");
    ::unsetenv("HIP_PATH");
    REQUIRE(output);
    CHECK(output->out == "[]\n");
    CHECK(ignored == std::vector<std::string>{"HIP_PATH", "LD_LIBRARY_PATH"});
}

TEST_CASE("a command is displayed as it can be pasted into a shell") {
    process::Command command;
    command.program = "/opt/my tools/cc";
    command.arguments = {"-DX=\"a b\"", "it's", "plain", ""};
    CHECK(command.display() == "'/opt/my tools/cc' '-DX=\"a b\"' 'it'\\''s' plain ''");
}
