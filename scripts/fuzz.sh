#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Fuzzing of all that reads input: builds the targets of tests/fuzz with sanitizers, gives each its part of the time,
# and says what was found.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  cat <<TEXT
usage: scripts/fuzz.sh MINUTES [TARGET...]

Runs the targets (without any: all of tests/fuzz) for MINUTES together, one after the other. Inputs that reach new code
are kept in FUZZ_DIR/corpus, and the next call begins with them; inputs that crash, leak or hang in FUZZ_DIR/crashes.
Exit codes: 0 nothing was found, 1 something was, 2 wrong usage, or there is no Clang with libFuzzer.

  FUZZ_DIR  folder of the build and of what is found (default: build-fuzz)
  CC        the Clang to use (default: the first that has libFuzzer)

Targets: ${all[*]}
TEXT
}

all=()
for source in tests/fuzz/*.c; do
  name=$(basename "$source" .c)
  [[ $name == replay ]] || all+=("$name")
done
if [[ ${1-} == -h || ${1-} == --help ]]; then
  usage
  exit 0
fi
if [[ ! ${1-} =~ ^[1-9][0-9]{0,4}$ ]]; then
  usage >&2
  exit 2
fi
minutes=$1
shift
targets=("$@")
((${#targets[@]})) || targets=("${all[@]}")
for target in "${targets[@]}"; do
  if [[ " ${all[*]} " != *" $target "* ]]; then
    echo "scripts/fuzz.sh: there is no target $target; expected some of ${all[*]}" >&2
    exit 2
  fi
done

# ---- Building --------------------------------------------------------------------------------------------------------

find_clang() {
  local compiler source='int LLVMFuzzerTestOneInput(void) { return 0; }'
  for compiler in ${CC:+"$CC"} clang clang-{20..14}; do
    if "$compiler" -fsanitize=fuzzer,address,undefined -x c -o /dev/null - <<<"$source" 2>/dev/null; then
      echo "$compiler"
      return
    fi
  done
  echo "scripts/fuzz.sh: no Clang with libFuzzer; Debian: apt-get install clang libclang-rt-dev" >&2
  return 1
}

folder=${FUZZ_DIR:-build-fuzz}
if [[ ! -f $folder/build.ninja ]]; then
  compiler=$(find_clang) || exit 2
  cmake -G Ninja -B "$folder" -DCMAKE_C_COMPILER="$compiler" -DCOOPBENCH_FUZZ=ON
fi
cmake --build "$folder" --target "${targets[@]/#/fuzz_}"

# ---- Running ---------------------------------------------------------------------------------------------------------

place=/dev/shm # files of the targets: a disk would be slow
[[ -w $place ]] || place=${TMPDIR:-/tmp}
TMPDIR=$(mktemp -d "$place/coopbench-fuzz-XXXXXX")
export TMPDIR
export ASAN_OPTIONS="allow_addr2line=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}" # places in the source without llvm-symbolizer

running=
# shellcheck disable=SC2317 # trap calls it
end() {
  [[ -z $running ]] || kill "$running" 2>/dev/null || true
  wait
  rm -rf "$TMPDIR"
}
trap end EXIT
trap 'exit 130' INT TERM HUP

seconds=$((minutes * 60 / ${#targets[@]}))
((seconds > 0)) || seconds=1
mkdir -p "$folder/corpus" "$folder/crashes" "$folder/logs"
found=()

count_files() { find "$1" -type f | wc -l; }

# stat LOG NAME: the number that libFuzzer says in the end.
stat() { sed -n "s/^stat::$2: *//p" "$1" | tail -n 1; }

# run TARGET: fuzzes it, and prints its row.
run() {
  local target=$1 log=$folder/logs/$1.log corpus=$folder/corpus/$1 before crashes options=() status=0
  mkdir -p "$corpus"
  before=$(count_files "$corpus")
  touch "$TMPDIR/begin"
  [[ ! -f tests/fuzz/$target.dict ]] || options=(-dict="tests/fuzz/$target.dict")
  timeout -k 10 $((seconds + 120)) "$folder/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -rss_limit_mb=2048 \
    -timeout=10 -print_final_stats=1 -artifact_prefix="$folder/crashes/$target-" "${options[@]}" \
    "$corpus" "tests/fuzz/corpus/$target" >"$log" 2>&1 </dev/null &
  running=$!
  wait "$running" || status=$?
  running=
  mapfile -t crashes < <(find "$folder/crashes" -name "$target-*" -newer "$TMPDIR/begin" ! -name '*-slow-unit-*')
  ((status == 0 || ${#crashes[@]} > 0)) || crashes=("$log") # it ended otherwise: the log says why
  found+=("${crashes[@]}")
  printf '%-12s %11s %8s %7s %9s %10d %8d\n' "$target" "$(stat "$log" number_of_executed_units)" \
    "$(stat "$log" average_exec_per_sec)" "$(grep -oE 'cov: [0-9]+' "$log" | tail -n 1 | cut -c 6-)" \
    "$(grep -oE 'ft: [0-9]+' "$log" | tail -n 1 | cut -c 5-)" $(($(count_files "$corpus") - before)) "${#crashes[@]}"
}

printf '\n%d targets, %d s each\n' "${#targets[@]}" "$seconds"
printf '%-12s %11s %8s %7s %9s %10s %8s\n' target executions per_s edges features new_inputs crashes
for target in "${targets[@]}"; do
  run "$target"
done

if ((${#found[@]} == 0)); then
  printf '\nNothing was found: no crash, leak, hang or undefined behaviour. New inputs are in %s.\n' "$folder/corpus"
  exit 0
fi
printf '\n%d found. Run one again: %s/tests/fuzz/fuzz_TARGET FILE. Mended, it joins tests/fuzz/corpus.\n' \
  "${#found[@]}" "$folder"
printf '  %s\n' "${found[@]}"
exit 1
