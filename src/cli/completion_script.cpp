#include "completion_script.hpp"

#include "kbuild/support/strings.hpp"

#include <fmt/format.h>

namespace kbuild::cli {

std::string bash_completion(const std::vector<CompletionEntry>& entries) {
    std::string cases;
    std::vector<std::string> names;
    for (const auto& entry : entries) {
        names.push_back(entry.command);
        cases += fmt::format(
            "        {}) options='{}' ;;\n", entry.command, support::join(entry.options, " "));
    }
    return fmt::format(R"(# bash completion for kbuild; made by `kbuild completions bash`
_kbuild() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} command='' options='' i
    for ((i = 1; i < COMP_CWORD; i++)); do
        if [[ ${{COMP_WORDS[i]}} != -* ]]; then
            command=${{COMP_WORDS[i]}}
            break
        fi
    done
    case $command in
        '') options='{}' ;;
{}    esac
    if [[ -z $command || $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}}
complete -o filenames -F _kbuild kbuild
)",
                       support::join(names, " "),
                       cases);
}

std::string zsh_completion(const std::vector<CompletionEntry>& entries) {
    std::string commands;
    std::string cases;
    for (const auto& entry : entries) {
        commands += fmt::format(
            "        '{}:{}'\n",
            entry.command,
            support::replace_all(support::replace_all(entry.summary, "'", ""), ":", " "));
        cases += fmt::format(
            "        {}) compadd -- {} ;;\n", entry.command, support::join(entry.options, " "));
    }
    return fmt::format(R"(#compdef kbuild
# zsh completion for kbuild; made by `kbuild completions zsh`
_kbuild() {{
    local -a commands=(
{}    )
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    if [[ $PREFIX != -* ]]; then
        _files
        return
    fi
    case $words[2] in
{}    esac
}}
_kbuild "$@"
)",
                       commands,
                       cases);
}

} // namespace kbuild::cli
