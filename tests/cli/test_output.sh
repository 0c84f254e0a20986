#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Results that cannot be written: noticed before measuring, or without losing what was measured.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu
quick=(discover --cpu --protocol lockfree --wg-sizes none --bound off --launch 16)

# Under a regular file nobody can create a folder, not even root.
touch file
check_exit 1 "$COOPBENCH" "${quick[@]}" -m 11 --output-dir file/results
check_stderr 'no results folder.*--output-dir.*cannot create the folder file'
for option in json csv; do
  check_exit 2 "$COOPBENCH" "${quick[@]}" -m 11 "--$option" file/rows
  check_stderr "--$option: cannot write file/rows: Not a directory"
  check_exit 2 "$COOPBENCH" "${quick[@]}" -m 11 "--$option" /
  check_stderr "--$option: cannot write /: Is a directory"
done
check "a run that could not start left results" test ! -e results

check_exit 0 "$COOPBENCH" "${quick[@]}" -m 11 --runs 1 --run-id taken
cp results/taken/run.json before.json
check_exit 1 "$COOPBENCH" "${quick[@]}" -m 11 --runs 1 --run-id taken
check_stderr 'results/taken holds a run already.*--run-id'
check "the run that was there has changed" cmp -s before.json results/taken/run.json

# Outputs that cannot be kept are failures, not silence; a refused run leaves old ones alone.
check_exit 1 "$COOPBENCH" "${quick[@]}" -m 11 --runs 1 --json /dev/full
check_stderr '--json: cannot write'

# Standard output that takes nothing: full, or closed. Every command says so, whatever it writes there.
unheard() {
  check_exit 1 bash -c '"$@" >/dev/full' - "$COOPBENCH" "$@"
  check_stderr '^coopbench: cannot write to standard output: No space left on device$'
  check_exit 1 bash -c '"$@" >&-' - "$COOPBENCH" "$@"
  check_stderr '^coopbench: cannot write to standard output: it is closed$'
}
unheard --help
unheard --version
unheard list devices
unheard list apps --json -
unheard man
unheard completion bash
unheard "${quick[@]}" --dry-run
unheard export --to junit results/taken
unheard compare --baseline taken taken --fail-on none
unheard compare --baseline taken taken --fail-on none --json -
unheard report results/taken -o page
unheard "${quick[@]}" -m 11 --runs 1
unheard "${quick[@]}" -m 11 --runs 1 --json -
unheard "${quick[@]}" -m 11 --runs 1 --csv -
check_exit 2 bash -c '"$@" --to junit nowhere >&-' - "$COOPBENCH" export # its own error stays

# Closed files are not taken for those that are opened later: results and the worker's pipes.
lines=("${quick[@]}" -m 11,L1 --runs 3 --progress lines)
check_exit 0 bash -c '"$@" 2>&-' - "$COOPBENCH" "${lines[@]}" --run-id no_errors
check_exit 1 bash -c '"$@" <&- >&- 2>&-' - "$COOPBENCH" "${lines[@]}" --run-id closed
check_exit 0 bash -c '"$@" --quiet <&- >&- 2>&-' - "$COOPBENCH" "${lines[@]}" --run-id quiet
for id in no_errors closed quiet; do
  check_json "results/$id/run.json" 'd["complete"] and d["summary"]["ok"] == 2'
  check "lines in $id/events.jsonl" test "$(grep -c '^{"id":' "results/$id/events.jsonl")" = "$(wc -l <"results/$id/events.jsonl")"
done

# Nobody reads what it prints: the results are there all the same.
for option in --progress=lines --json=- --csv=-; do
  check_unread "$COOPBENCH" "${quick[@]}" -m 11 --runs 1 --run-id "unread${option//[-=]/.}" "$option"
  check "complains that nobody reads" test "$(grep -ci 'pipe\|cannot write' err)" = 0
  check_json "results/unread${option//[-=]/.}/run.json" 'd["complete"] and d["summary"]["ok"] == 1'
done
echo old >kept.json
check_exit 1 "$COOPBENCH" "${quick[@]}" -m 11 --runs 1 --run-id taken --json kept.json
check "a refused run changed the file of --json" grep -qx old kept.json
check_exit 2 "$COOPBENCH" "${quick[@]}" -m 11 --runs 1 --json - --csv -
check_stderr '^coopbench: --json - and --csv - would mix'
check_exit 2 "$COOPBENCH" "${quick[@]}" -m 11 --runs 1 --json both --csv both
check "a refused run made its file" test ! -e both
check_exit 2 "$COOPBENCH" compare --baseline taken taken --json - --csv -
check_stderr '^coopbench: --json - and --csv - would mix'
check_exit 2 "$COOPBENCH" compare --baseline taken taken --markdown file/rows
check_stderr '^coopbench: --markdown: cannot write file/rows: Not a directory'
for id in ../x .x -x 'a b' ''; do
  check_exit 2 "$COOPBENCH" "${quick[@]}" -m 11 --runs 1 "--run-id=$id"
done
check "a run left the results folder" test ! -e x
check_exit 2 "$COOPBENCH" "${quick[@]}" -m 11 --runs 1 --output-dir "$(printf '%01200d' 0)"
check_stderr 'too long'
check_exit 0 "$COOPBENCH" "${quick[@]}" -m 11 --runs 1 --label a=1 --label a=2,b=,c=x=y \
  --label "long=$(printf '%0500d' 0)" --json labelled.json
check_json labelled.json 'd["invocation"]["labels"] == {"a": "2", "b": "", "c": "x=y", "long": 500 * "0"}'

# full_disk ID: the program's files may not grow over 64 KiB from its second case on: as if the disk
# were full, without touching the worker, whose compiler needs files. Samples are larger, the
# document is not, nor are lines of progress.
full_disk() {
  rm -f out err
  "$COOPBENCH" "${quick[@]}" --microbenchmark 11,L1,1W --runs 1500 --order listed --run-id "$1" \
    --progress lines >out 2>err &
  program=$!
  wait_for 'the second case' grep -q '^.1/3. discover' err
  prlimit --pid "$program" --fsize=65536
  check_end 1
}

mkdir elsewhere
TMPDIR=$PWD/elsewhere full_disk full
check_stderr 'cannot write results/full/.*: File too large'
check_stderr "All finished cases are in $PWD/elsewhere/coopbench-full.json"
check_schema run.schema.json elsewhere/coopbench-full.json
check_json elsewhere/coopbench-full.json \
  'not d["complete"] and d["exit_code"] == 1' \
  'case("*/11/*")["status"] == "ok" and metric("*/11/*", "groups_found")["n"] == 1500'

# Nowhere to write at all: to standard error.
TMPDIR=$PWD/file full_disk nowhere
check_stderr 'All finished cases were printed above'
sed -n '/^{$/,/^}$/p' err >printed.json
check_schema run.schema.json printed.json
check_json printed.json 'case("*/11/*")["status"] == "ok"'

# --quiet leaves the errors: each case that failed, and why nothing could run.
quiet() {
  check_exit "$1" "$COOPBENCH" "${@:3}" --quiet
  check_stderr "$2"
  check "--quiet printed $(wc -l <err) lines" test "$(wc -l <err)" = 1
  check "--quiet wrote to standard output" test ! -s out
}
quiet 2 '^apps/bfs/.*: usage: .*nope.mtx' apps --cpu --app bfs --input nope.mtx --mode portable
quiet 77 '^coopbench: nothing could run: discover/lockfree/.*: --atomics ptx needs an NVIDIA GPU' \
  "${quick[@]}" -m 11,L1 --atomics ptx
check_exit 0 "$COOPBENCH" "${quick[@]}" -m 11 --runs 1 --quiet
check "--quiet printed something" test ! -s err -a ! -s out
