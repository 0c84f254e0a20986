#compdef coopbench
# Completion of coopbench for zsh: source it, or put it as _coopbench into a folder of $fpath.
_coopbench() {
  local line
  local -a found shown
  for line in "${(@f)$("${(Q)words[1]}" complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      :files) [[ $PREFIX == --*=* ]] && compset -P '*='; _files ;;
      :folders) [[ $PREFIX == --*=* ]] && compset -P '*='; _files -/ ;;
      ?*) found+=("${line%%$'\t'*}"); shown+=("${line/$'\t'/  -- }") ;;
    esac
  done
  (( $#found )) && compadd -l -d shown -- "${found[@]}"
}
if [[ ${funcstack[1]-} == _coopbench ]]; then
  _coopbench
else
  compdef _coopbench coopbench
fi
