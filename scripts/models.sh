#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks the SPIN models: each right variant has to hold in all orders, and each planted bug has to be found.
# The checks are lines in the last comment of a model (models/README.md).
set -euo pipefail
export LC_ALL=C # a point in numbers
cd "$(dirname "${BASH_SOURCE[0]}")/../models"

usage() {
  cat <<TEXT
usage: scripts/models.sh [--full] [MODEL...]

Checks models with SPIN: a name of models/, or a path that ends in .pml. Without one, all of models/.
  --full   also the checks that take long: of all models, 15 minutes or more, and up to 3 GB of memory
Prints a row for each check. The exit status is 0 if each right variant holds and each planted bug is found.
TEXT
}

levels=quick deadline=60 models=()
while (($#)); do
  case "$1" in
  --full) levels='quick|full' deadline=1800 ;;
  --help)
    usage
    exit 0
    ;;
  -*)
    usage >&2
    exit 2
    ;;
  *.pml) models+=("$(cd "$OLDPWD" && realpath "$1")") ;;
  *) models+=("$PWD/$1.pml") ;;
  esac
  shift
done
((${#models[@]})) || models=("$PWD"/*.pml)
for model in "${models[@]}"; do
  [[ -f $model ]] && continue
  echo "There is no model $model. The models are: $(basename -s .pml ./*.pml | xargs)" >&2
  exit 2
done
{ command -v spin && command -v gcc; } >/dev/null || {
  echo "Models need spin and gcc: scripts/bootstrap.sh --tests installs them." >&2
  exit 2
}

megabytes=3000
to_compile=(gcc -w -DSAFETY -DCOLLAPSE "-DMEMLIM=$megabytes" -o pan pan.c)
to_run=(./pan -m1000000)

job='' folder=$(mktemp -d)
# shellcheck disable=SC2317 # the trap calls it
cleanup() {
  if [[ $job ]]; then
    kill "$job" 2>/dev/null || true # timeout ends what it runs, too
    wait "$job" 2>/dev/null || true
  fi
  rm -rf "$folder"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# limited SECONDS COMMAND...: in the folder. In the background, so that a signal ends it at once.
limited() {
  local code=0
  (cd "$folder" && exec timeout -k 5 "$@" >>log 2>&1) &
  job=$!
  wait "$job" || code=$?
  job=''
  return "$code"
}

# verdict KIND CODE: of what pan has printed.
verdict() {
  if (($2 == 124 || $2 == 137)); then
    echo "out of time"
  elif grep -q 'out of memory\|reached -DMEMLIM' "$folder/log"; then
    echo "out of memory"
  elif grep -q 'errors: [1-9]' "$folder/log"; then
    [[ $1 == bug ]] && echo found || echo "error found"
  elif ! grep -q 'errors: 0' "$folder/log"; then
    echo "did not run"
  elif grep -q 'search depth too small\|search too deep' "$folder/log"; then
    echo "too deep"
  else
    [[ $1 == bug ]] && echo "NOT FOUND" || echo holds
  fi
}

# of_log EXPRESSION: the number that sed finds in what pan has printed, or 0. From 10^8 on, pan writes an exponent.
of_log() {
  local number
  number=$(sed -nE "s/$1/\1/p" "$folder/log")
  printf '%.0f\n' "${number:-0}"
}

row='%-10s %-71s %10s %7s %7s  %s\n' states=0 held=0 bugs=0 found=0 failed=()

# run_check MODEL KIND OPTIONS
run_check() {
  local name options=() of_gcc=() code=0 optimize=-O0 begun=${EPOCHREALTIME/./} result stored seconds
  name=$(basename -s .pml "$1")
  read -ra options <<<"${3%%-- *}"
  if [[ $3 == *"-- "* ]]; then
    read -ra of_gcc <<<"${3#*-- }"
  fi
  if [[ -t 2 ]]; then
    printf '%s %s ...\r' "$name" "$3" >&2
  fi
  if [[ $2 == check ]]; then # a bug is found so early that gcc would take longer
    optimize=-O2
  fi
  rm -f "$folder"/*
  limited 60 spin "${options[@]}" -a "$1" && limited 60 "${to_compile[@]}" "$optimize" "${of_gcc[@]}" && limited $deadline "${to_run[@]}" || code=$?
  result=$(verdict "$2" "$code")
  stored=$(of_log '^ *([0-9.e+]+) states, stored.*')
  seconds=$(((${EPOCHREALTIME/./} - begun) / 100000))
  # shellcheck disable=SC2059
  printf "$row" "$name" "$3" "$stored" "$(of_log '.*depth reached ([0-9]+).*')" \
    "$((seconds / 10)).$((seconds % 10)) s" "$result"
  states=$((states + stored))
  case "$result" in
  holds) held=$((held + 1)) ;;
  found) found=$((found + 1)) ;;
  *) failed+=("$name${3:+ $3}: $result") ;;
  esac
  if [[ $result == "did not run" ]]; then
    tail -n 5 "$folder/log" >&2
  fi
}

# shellcheck disable=SC2059
printf "$row" model options states depth time verdict
rights=0
for model in "${models[@]}"; do
  checked=0
  while read -r kind options; do
    checked=$((checked + 1))
    if [[ $kind == bug ]]; then bugs=$((bugs + 1)); else rights=$((rights + 1)); fi
    run_check "$model" "$kind" "$options"
  done < <(sed -nE "s/^ \* (check|bug) ($levels)( [^:]*)?(:.*)?$/\1\3/p" "$model")
  ((checked)) || failed+=("$model has no line 'check quick ...' or 'bug quick ...'")
done

echo
echo "${#models[@]} models, $states states: $held of $rights right variants hold," \
  "$found of $bugs planted bugs were found. It took $SECONDS s."
((${#failed[@]} == 0)) && exit
printf 'FAILED: %s\n' "${failed[@]}"
cat <<TEXT
To see the order of an error, or to search on, with the options of its row in an empty folder:
  spin OPTIONS -a MODEL.pml && ${to_compile[*]} && ${to_run[*]}; spin OPTIONS -t -p -g MODEL.pml
TEXT
exit 1
