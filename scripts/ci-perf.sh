#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures this build, compares it with earlier ones, and writes what CI systems show. docs/ci.md.
set -euo pipefail

usage() {
  cat <<TEXT
usage: scripts/ci-perf.sh [OPTIONS] [-- OPTIONS OF coopbench run]
  --program FILE     the coopbench to measure [build/coopbench, else that in PATH]
  --config FILE      the suite [configs/ci.json]
  --store FOLDER     where baselines are kept, by device and driver [ci-baseline]
  --output FOLDER    where results go [ci-results]
  --against FILE     another coopbench as baseline in place of the store: both take turns, in
                     processes of their own (coopbench run --interleave)
  --rounds N         times that everything is measured, in new processes each time, with five
                     samples of each case [5; with --against 10]
  --update           keep this run as a baseline, if nothing has got worse
  --accept           keep it as the only baseline, whatever it is: the change is wanted
  --keep N           baselines that are kept and compared with [5]
  --compare OPTION   an option of coopbench compare, as --compare --threshold=10%; may be repeated
                     [--metric of times and throughputs: what waits the longest is noise]
  --strict           also fail if some case cannot be told (exit code 6)
Exit codes: 0 nothing got worse (or there is no baseline yet), 5 a regression, which was there
when it was measured again, too; 6 nothing could be compared, or with --strict: some cases cannot
be told or compared; else that of the run.
TEXT
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program='' config=$here/configs/ci.json store=ci-baseline output=ci-results keep=5 rounds=''
[[ -e $config ]] || config=$here/../coopbench/configs/ci.json # where the package puts it
against='' update='' accept='' comparing=()
fail_on=regression
while (($#)); do
  case $1 in
  --program | --config | --store | --output | --against | --keep | --rounds)
    (($# > 1)) || { echo "ci-perf: $1 needs a value" >&2; exit 2; }
    declare "${1#--}=$2"
    shift
    ;;
  --compare)
    (($# > 1)) || { echo "ci-perf: $1 needs an option of coopbench compare" >&2; exit 2; }
    comparing+=("$2")
    shift
    ;;
  --update) update=yes ;;
  --accept) accept=yes ;;
  --strict) fail_on=regression,inconclusive ;;
  --help | -h) usage; exit 0 ;;
  --) shift; break ;;
  *) echo "ci-perf: unknown option $1; scripts/ci-perf.sh --help lists them" >&2; exit 2 ;;
  esac
  shift
done
options=("$@")
((${#comparing[@]})) || comparing=('--metric=protocol_time,groups_found,run_time,throughput')
[[ $keep =~ ^[1-9][0-9]*$ ]] || { echo "ci-perf: --keep: expected a number, got \"$keep\"" >&2; exit 2; }
[[ -n $rounds ]] || rounds=$([[ -n $against ]] && echo 10 || echo 5)
[[ $rounds =~ ^[1-9][0-9]*$ ]] && ((rounds >= 5)) || {
  echo "ci-perf: --rounds: expected a number from 5 on, got \"$rounds\"" >&2
  exit 2
}
if [[ -n $against && -n $update$accept ]]; then
  echo 'ci-perf: --against keeps no baselines: leave --update and --accept out' >&2
  exit 2
fi
if [[ -z $program ]]; then
  program=$here/build/coopbench
  [[ -x $program ]] || program=$(command -v coopbench) || {
    echo 'ci-perf: no build/coopbench and none in PATH: build it (README.md) or name it with --program' >&2
    exit 2
  }
fi

# PoCL's CPU device, unless the options say what else.
[[ " ${options[*]-} " =~ ' --device'|' -d'|' --gpu '|' --cpu ' ]] || options+=(--cpu)
mkdir -p "$output"
began=$(date -u +%Y%m%dT%H%M%S.%3NZ)

# measure ID [OPTION...]: makes the run $output/ID (with --interleave: ID-a and ID-b); ends with its
# exit code if it is not 0.
measure() {
  local code=0
  "$program" run "$config" --runs 5 "${@:2}" "${options[@]}" --output-dir "$output" --run-id "$1" --no-profile --quiet \
    ${CI_COMMIT_SHA:+--label commit="$CI_COMMIT_SHA"} ${GITHUB_SHA:+--label commit="$GITHUB_SHA"} || code=$?
  ((code == 0)) || {
    echo "ci-perf: the run $output/$1 failed: exit code $code" >&2
    exit "$code"
  }
}

# The cases that a comparison calls worse, as globs for --filter, a line each.
suspects() {
  sed -n '/"verdict":"\(regression\|failed\)"/s/^{"case":"\([^"]*\)".*/\1/p' "$1" | sort -u | tr '[]*' '?'
}

# The device and its driver, as the name of a folder: runs of others cannot be compared.
device_of() {
  sed -n 's/^[[:space:]]*"\(id\|driver_version\)":[[:space:]]*"\(.*\)",\{0,1\}$/\2/p' "$1/run.json" |
    head -n 2 | tr -c 'A-Za-z0-9._\n-' _ | paste -sd +
}

# The baselines in the store, the oldest first.
kept() { [[ ! -d $store ]] || find "$store" -mindepth 1 -maxdepth 1 -type d | sort; }

# compare RUN NAME [OPTION...]: with the baselines; what it finds goes to standard output, the job's
# summary and files of this name.
compare() {
  local code=0 format=table
  [[ -z ${GITHUB_ACTIONS-} ]] || format=github
  rm -f "$output/$2".{json,md}
  "$program" compare --baseline "$(IFS=,; echo "${baselines[*]}")" "$1" --fail-on "$fail_on" \
    "${comparing[@]}" "${@:3}" --format "$format" --json "$output/$2.json" --markdown "$output/$2.md" || code=$?
  if [[ -n ${GITHUB_STEP_SUMMARY-} && -s $output/$2.md ]]; then
    cat "$output/$2.md" >>"$GITHUB_STEP_SUMMARY"
  fi
  return "$code"
}

# Machines have bad minutes, and a hundred cases a chance of one in a hundred each: a regression has to
# appear twice. Of builds side by side, the suspects are enough, in twice the rounds.
measure_again() {
  local glob only=()
  echo 'ci-perf: a regression; measuring again'
  if [[ -n $against ]]; then
    while IFS= read -r glob; do only+=(--filter "$glob"); done < <(suspects "$output/compare.json")
    measure "$began-again" --interleave "$against" --rounds $((2 * rounds)) "${only[@]}"
    baselines=("$output/$began-again-a")
    compare "$output/$began-again-b" compare-again "${only[@]}"
  else
    measure "$began-again" --rounds "$rounds"
    run=$output/$began-again
    compare "$run" compare-again
  fi
}

baselines=()
rm -f "$output"/compare{,-again}.{json,md}
if [[ -n $against ]]; then
  measure "$began" --interleave "$against" --rounds "$rounds"
  run=$output/$began-b
  baselines=("$output/$began-a")
else
  measure "$began" --rounds "$rounds"
  run=$output/$began
  store=$store/$(device_of "$run")
  mapfile -t baselines < <(kept | tail -n "$keep")
fi

code=0
if ((${#baselines[@]} == 0)); then
  echo "ci-perf: no baseline yet in $store"
else
  compare "$run" compare || code=$?
  if ((code == 5)); then
    code=0
    measure_again || code=$?
  fi
fi

"$program" export --to github -o "$output/github.json" "$run"
"$program" export --to junit -o "$output/junit.xml" "$run"

if [[ -n $accept ]]; then
  rm -rf "$store"
fi
if [[ -n $accept || (-n $update && ($code == 0 || $code == 6)) ]]; then
  mkdir -p "$store/$began"
  cp "$run"/{run.json,samples.csv,summary.csv,events.jsonl} "$store/$began"
  mapfile -t old < <(kept | head -n "-$keep")
  ((${#old[@]} == 0)) || rm -rf -- "${old[@]}"
  echo "ci-perf: $store/$began is a baseline now"
fi
[[ -z $accept ]] || code=0
exit "$code"
