// SPDX-License-Identifier: Apache-2.0
#include "cli/completion/shell_scripts.h"

namespace kingpost {

namespace {

// Bash splits words at ":" and "=", of which URNs are full, and replaces only the last part. So the script joins the
// words from the line, and cuts the text before the last part off each candidate.
constexpr char kBash[] = R"(# bash completion for PROGRAM: source <(PROGRAM completion bash)
_PROGRAM_words() {
  local line=${COMP_LINE:0:COMP_POINT} word trimmed
  words=()
  for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    trimmed=${line#"${line%%[![:space:]]*}"}
    [[ $trimmed == "$word"* ]] || word=$trimmed
    if [[ ${#words[@]} -eq 0 || $trimmed != "$line" ]]; then
      words+=("$word")
    else
      words[${#words[@]}-1]+=$word
    fi
    line=${trimmed#"$word"}
  done
  part=$word
}

_PROGRAM_complete() {
  local -a words lines
  local part
  _PROGRAM_words
  local typed=${words[${#words[@]}-1]} quote="" start="" i
  case $typed in [\'\"]*) quote=${typed:0:1} ;; esac
  for i in "${!words[@]}"; do
    words[i]=${words[i]#[\'\"]}
    [[ -n $quote && $i -eq $((${#words[@]}-1)) ]] || words[i]=${words[i]%[\'\"]}
    words[i]=${words[i]//\\/}
  done
  mapfile -t lines < <("${words[0]}" __complete "${words[@]:1}" 2>/dev/null)
  COMPREPLY=()
  case ${lines[0]} in
    :files) compopt -o default 2>/dev/null; return ;;
    :folders) compopt -o dirnames 2>/dev/null; return ;;
  esac
  if [[ -z $quote ]]; then
    [[ $part == *[^:=@]* ]] || part=""
    start=${typed%"$part"}
  fi
  local candidate
  for candidate in "${lines[@]:1}"; do
    candidate=${candidate%%$'\t'*}
    [[ -n $quote ]] || printf -v candidate %q "$candidate"
    COMPREPLY+=("${candidate#"$start"}")
  done
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}

complete -F _PROGRAM_complete PROGRAM
)";

constexpr char kZsh[] = R"(#compdef PROGRAM
# zsh completion for PROGRAM: source <(PROGRAM completion zsh), or this text as _PROGRAM in a folder of $fpath
_PROGRAM() {
  local -a lines offered
  local line
  lines=("${(@f)$("${(Q)words[1]}" __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  case ${lines[1]} in
    :files) _files; return ;;
    :folders) _files -/; return ;;
  esac
  for line in "${(@)lines[2,-1]}"; do
    [[ -n $line ]] || continue
    if [[ $line == *$'\t'* ]]; then
      offered+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    else
      offered+=("${line//:/\\:}")
    fi
  done
  _describe -t values PROGRAM offered
}
if [[ ${funcstack[1]} == _PROGRAM ]]; then _PROGRAM "$@"; else compdef _PROGRAM PROGRAM; fi
)";

constexpr char kFish[] = R"(# fish completion for PROGRAM: PROGRAM completion fish | source
function __PROGRAM_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l lines ($words[1] __complete $words[2..-1] 2>/dev/null)
  switch "$lines[1]"
    case :files
      __fish_complete_path (commandline -ct)
    case :folders
      __fish_complete_directories (commandline -ct)
    case '*'
      test (count $lines) -gt 1; and printf '%s\n' $lines[2..-1]
  end
end
complete -c PROGRAM -f -a '(__PROGRAM_complete)'
)";

constexpr char kPlaceholder[] = "PROGRAM";

}  // namespace

std::string CompletionScript(const std::string& shell, const std::string& program) {
  std::string script = shell == "bash" ? kBash : shell == "zsh" ? kZsh : shell == "fish" ? kFish : "";
  const size_t length = sizeof kPlaceholder - 1;
  for (size_t at = 0; (at = script.find(kPlaceholder, at)) != std::string::npos; at += program.size()) {
    script.replace(at, length, program);
  }
  return script;
}

}  // namespace kingpost
