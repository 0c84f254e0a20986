# Completion of coopbench for bash: source it, or put it where bash-completion finds it.
# shellcheck shell=bash
_coopbench() {
  local line=${COMP_LINE:0:COMP_POINT} candidate current kept=
  local -a words
  read -ra words <<<"$line"
  [[ $line == *[[:blank:]] ]] && words+=('')
  current=${words[-1]}
  # Bash replaces only what is behind the last "=" or ":" of a word.
  [[ $current == *[=:]* ]] && kept=${current%"${current##*[=:]}"}
  COMPREPLY=()
  while IFS= read -r candidate; do
    candidate=${candidate%%$'\t'*}
    case $candidate in
    :files)
      compopt -o filenames 2>/dev/null
      mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "${current#"$kept"}")
      ;;
    :folders)
      compopt -o filenames 2>/dev/null
      mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "${current#"$kept"}")
      ;;
    *) COMPREPLY+=("${candidate#"$kept"}") ;;
    esac
  done < <("${words[0]}" complete "${words[@]:1}" 2>/dev/null)
}
complete -F _coopbench coopbench
