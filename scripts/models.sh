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
usage: scripts/models.sh [--full] [--jobs N] [MODEL...]

Checks models with SPIN: a name of models/, or a path that ends in .pml. Without one, all of models/.
  --full     also the checks that take long: of all models, 15 to 25 minutes, and up to 3 GB of memory
  --jobs N   so many checks at once (default: the number of cores; 1 with --full, for their memory)
Prints a row for each check. The exit status is 0 if each right variant holds and each planted bug is found.
TEXT
}

# Verifiers of quick checks run for so short a time that gcc would take longer to compile them, and a large table to clear.
levels=quick deadline=300 compiler=(gcc -O0) slots=-w20 models=()
if command -v tcc >/dev/null; then
  compiler=(tcc)
fi
soon=("${compiler[@]}") # bugs are found early in all checks
jobs=$(nproc)
while (($#)); do
  case "$1" in
  --full) levels='quick|full' deadline=1800 compiler=(gcc -O2) slots=-w24 jobs=1 ;;
  --jobs)
    [[ ${2-} =~ ^[1-9][0-9]*$ ]] || {
      usage >&2
      exit 2
    }
    jobs=$2
    shift
    ;;
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
for_all=(-w -DCOLLAPSE "-DMEMLIM=$megabytes" -o pan pan.c)
to_compile=(gcc "${for_all[@]}")
to_run=(./pan "$slots")
depths=(100000 1000000) # of searches: room for the second takes longer to clear than most checks
for_safety=-DSAFETY # of gcc, for check and bug
# For live and stuck: cycles in which nobody is left out that can go on, of up to 14 processes.
fair=-DNFAIR=3 for_liveness=(-a -f)

folder=$(mktemp -d)
# shellcheck disable=SC2317 # the trap calls it
cleanup() {
  local job
  for job in $(jobs -p); do
    kill "$job" 2>/dev/null || true
  done
  wait
  rm -rf "$folder"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# limited SECONDS COMMAND...: its output goes to the log. In the background, so that a signal ends it at once.
limited() {
  local code=0
  timeout -k 5 "$@" >>log 2>&1 &
  job=$!
  wait "$job" || code=$?
  job=''
  return "$code"
}

# verdict KIND CODE: of what pan has printed.
verdict() {
  local plants=false
  if [[ $1 == bug || $1 == stuck ]]; then plants=true; fi
  if (($2 == 124 || $2 == 137)); then
    echo "out of time"
  elif grep -q 'out of memory\|reached -DMEMLIM' log; then
    echo "out of memory"
  elif grep -q 'errors: [1-9]' log; then
    $plants && echo found || echo "error found"
  elif ! grep -q 'errors: 0' log; then
    echo "did not run"
  elif grep -q 'search depth too small\|search too deep' log; then
    echo "too deep"
  else
    $plants && echo "NOT FOUND" || echo holds
  fi
}

# explore OPTION...: runs pan, again with more depth if that is too little.
explore() {
  local depth code
  for depth in "${depths[@]}"; do
    rm -f log
    code=0
    limited $deadline "${to_run[@]}" "-m$depth" "$@" || code=$?
    grep -q 'search depth too small\|search too deep' log || break
  done
  return "$code"
}

# of_log EXPRESSION: the number that sed finds in what pan has printed, or 0. From 10^8 on, pan writes an exponent.
of_log() {
  local number
  number=$(sed -nE "s/$1/\1/p" log)
  printf '%.0f\n' "${number:-0}"
}

# search KIND MODEL OPTIONS: the verdict, in $result.
search() {
  local of_spin=() of_gcc=() of_pan=() compile=("${compiler[@]}" "${for_all[@]}") code=0
  read -ra of_spin <<<"${3%%-- *}"
  if [[ $3 == *"-- "* ]]; then
    read -ra of_gcc <<<"${3#*-- }"
  fi
  case "$1" in
  bug | stuck) compile=("${soon[@]}" "${for_all[@]}") ;;
  esac
  case "$1" in
  live | stuck) of_spin+=(-DLIVE) of_gcc+=("$fair") of_pan=("${for_liveness[@]}") ;;
  *) of_gcc+=("$for_safety") ;;
  esac
  limited 300 spin "${of_spin[@]}" -a "$2" || code=$?
  if [[ $1 == stuck ]] && ((code == 0)); then # nothing else is wrong
    limited 300 "${compile[@]}" -DNOCLAIM "$for_safety" && explore || code=$?
    result=$(verdict check "$code")
    [[ $result == holds ]] || return 0
    rm log
  fi
  if ((code == 0)); then
    limited 300 "${compile[@]}" "${of_gcc[@]}" && explore "${of_pan[@]}" || code=$?
  fi
  result=$(verdict "$1" "$code")
}

row='%-10s %-5s %-71s %10s %7s %7s  %s\n'

# run_check NUMBER: in a folder of its own, with its row, states, verdict and, if it did not run, the reason.
run_check() {
  local job='' result='' name begun=${EPOCHREALTIME/./} stored depth tenths
  local kind=${kinds[$1]} model=${checked[$1]} options=${options_of[$1]}
  trap '[[ ! $job ]] || kill "$job" 2>/dev/null; exit 143' TERM # timeout ends what it runs, too
  name=$(basename -s .pml "$model")
  mkdir "$folder/$1"
  cd "$folder/$1"
  search "$kind" "$model" "$options"
  stored=$(of_log '^ *([0-9.e+]+) states, stored.*')
  depth=$(of_log '.*depth reached ([0-9]+).*')
  tenths=$(((${EPOCHREALTIME/./} - begun) / 100000))
  # shellcheck disable=SC2059
  printf "$row" "$name" "$kind" "$options" "$stored" "$depth" "$((tenths / 10)).$((tenths % 10)) s" "$result" >row
  if [[ $result == "did not run" ]]; then
    tail -n 5 log >why
  fi
  rm -f pan*
  echo "$stored $result" >ended
}

kinds=() checked=() options_of=() failed=()
for model in "${models[@]}"; do
  before=${#kinds[@]}
  while read -r kind options; do
    kinds+=("$kind") checked+=("$model") options_of+=("$options")
  done < <(sed -nE "s/^ \* (check|bug|live|stuck) ($levels)( [^:]*)?(:.*)?$/\1\3/p" "$model")
  ((${#kinds[@]} > before)) || failed+=("$(basename "$model") has no line 'check quick ...' or 'bug quick ...'")
done

states=0 rights=0 held=0 bugs=0 found=0

# count NUMBER: a check that has ended.
count() {
  local stored=0 result="did not run" name options=${options_of[$1]}
  name="$(basename -s .pml "${checked[$1]}") ${kinds[$1]}"
  [[ ! -f $folder/$1/ended ]] || read -r stored result <"$folder/$1/ended"
  cat "$folder/$1/row" 2>/dev/null || true
  cat "$folder/$1/why" >&2 2>/dev/null || true
  rm -rf "${folder:?}/$1"
  states=$((states + stored))
  case "${kinds[$1]}" in
  bug | stuck) bugs=$((bugs + 1)) ;;
  *) rights=$((rights + 1)) ;;
  esac
  case "$result" in
  holds) held=$((held + 1)) ;;
  found) found=$((found + 1)) ;;
  *) failed+=("$name${options:+ $options}: $result") ;;
  esac
}

# shellcheck disable=SC2059
printf "$row" model kind options states depth time verdict
begun=0 running=0
for ((next = 0; next < ${#kinds[@]}; next++)); do # in order
  while [[ ! -f $folder/$next/ended ]]; do
    if ((running < jobs && begun < ${#kinds[@]})); then
      run_check "$begun" &
      begun=$((begun + 1)) running=$((running + 1))
    elif ((running > 0)); then
      wait -n || true
      running=$((running - 1))
    else
      break # it ended without a verdict
    fi
  done
  count "$next"
done

echo
echo "${#models[@]} models, $states states: $held of $rights right variants hold," \
  "$found of $bugs planted bugs were found. It took $SECONDS s."
((${#failed[@]} == 0)) && exit
printf 'FAILED: %s\n' "${failed[@]}"
cat <<TEXT
To see the order of an error, or to search on, with the options of its row in an empty folder:
  check, bug:  spin OPTIONS -a MODEL.pml && ${to_compile[*]} $for_safety && ${to_run[*]} -m${depths[1]}
  live, stuck: spin OPTIONS -DLIVE -a MODEL.pml && ${to_compile[*]} $fair && ${to_run[*]} -m${depths[1]} ${for_liveness[*]}
and then spin OPTIONS -t -p -g MODEL.pml.
TEXT
exit 1
