#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Help, and what is said of a wrong command line. Nothing here needs a device.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"

check_exit 2 "$COOPBENCH"
check_stderr 'Usage: coopbench COMMAND'
check "help of a wrong call on standard output" test ! -s out

for flag in --help -h help; do
  check_exit 0 "$COOPBENCH" "$flag"
  check_stdout 'Usage: coopbench COMMAND'
  check_stdout '^  discover'
  check_stdout 'Exit codes:'
done
for command in discover compare; do
  "$COOPBENCH" "$command" --help >expected
  check_exit 0 "$COOPBENCH" help "$command"
  check "'help $command' is not '$command --help'" cmp -s out expected
done
check_exit 0 "$COOPBENCH" help help
check_stdout 'Usage: coopbench COMMAND'
check_exit 2 "$COOPBENCH" --vresion
check_stderr 'unknown option --vresion \(did you mean --version\?\)'
check_exit 2 "$COOPBENCH" --device gpu discover
check_stderr 'unknown option --device; options come after a command'
check_exit 2 "$COOPBENCH" help dicsover
check_stderr 'unknown command "dicsover" \(did you mean "discover"\?\)'
check_exit 0 "$COOPBENCH" --version
check_stdout '^coopbench [0-9]+\.[0-9]+\.[0-9]+'

check_exit 2 "$COOPBENCH" dicsover
check_stderr 'unknown command "dicsover" \(did you mean "discover"\?\)'
check_exit 2 "$COOPBENCH" discover --protcol ticket
check_stderr 'unknown option --protcol \(did you mean --protocol\?\)'
check_exit 2 "$COOPBENCH" list devices --jsn -
check_stderr 'unknown option --jsn \(did you mean --json\?\)'
check_exit 2 "$COOPBENCH" discover --protocol tickt
check_stderr '--protocol.*tickt.*ticket'
check_exit 2 "$COOPBENCH" discover --atomics c12
check_stderr '--atomics: expected one of auto, c11, ptx, cl12, got "c12"'
check_exit 2 "$COOPBENCH" discover --runs
check_stderr '--runs needs a value'
check_exit 2 "$COOPBENCH" discover --runs many
check_stderr '--runs.*many'
check_exit 2 "$COOPBENCH" discover --runs 0
check_stderr '--runs.*1'
check_exit 2 "$COOPBENCH" discover --runs=-1
check_stderr '--runs'
check_exit 2 "$COOPBENCH" discover extra
check_stderr 'takes no argument "extra"'

# Who has heard enough, as "| head -1", hears no complaint.
for command in --help --version 'list benchmarks' 'list apps' man 'discover --help'; do
  # shellcheck disable=SC2086
  check_unread "$COOPBENCH" $command
  check "complains that nobody reads: $command" test ! -s err
done

check_exit 0 "$COOPBENCH" discover --help
for option in protocol microbenchmark wg-sizes delay launch bound device runs output-dir json; do
  check_stdout "--$option "
done
for metric in groups_found groups_bound recall protocol_time launch_time; do
  check_stdout "^  $metric +[^ ]"
done
"$COOPBENCH" list benchmarks | sed -n 's/^\([a-z][a-z]*\) .*/\1/p' >benches
check "no benchmarks" test -s benches
while read -r bench; do
  "$COOPBENCH" "$bench" --help | sed -n '/^Metrics:/,$p' >out
  check "$bench: what metrics mean is wider than 80 columns" test -z "$(awk 'length > 80' out)"
done <benches
for bench in memory multitask preempt primitives throttle; do
  check_exit 0 "$COOPBENCH" "$bench" --help
  tr -s ' \n' ' ' <out >joined
  check "$bench: how to say all but one" grep -q '(N/4, 3N/4), \(or \)\?all but some (N-1)' joined
done
check_exit 0 "$COOPBENCH" compare --help
tr -s ' \n' ' ' <out >joined
check "what 128 means to git bisect" grep -q '128 wrong usage or no baseline (bisecting stops)' joined
for command in list run plot; do
  check_exit 0 "$COOPBENCH" "$command" --help
  check_stdout "^Usage: coopbench $command "
  check_stdout '--help '
done
check_exit 2 "$COOPBENCH" plot --wait-deadline 5 results/latest # measures nothing
check_stderr 'unknown option --wait-deadline'

# Options that contradict each other, or could have no effect, are refused.
check_exit 2 "$COOPBENCH" discover --max-rci 5
check_stderr '--max-rci needs --stop'
check_exit 2 "$COOPBENCH" discover --wait-deadline 3000 --run-deadline 2
check_stderr '--run-deadline must be longer than --wait-deadline'
check_exit 2 "$COOPBENCH" discover --stop ci --runs 10 --max-runs 3
check_stderr '--max-runs 3 is below'
check_exit 2 "$COOPBENCH" discover --delay x --protocol lockfree
check_stderr 'delay: expected .* got "x"'

for label in driver =beta driver=beta,more "$(printf '%0101d' 0)=beta"; do
  check_exit 2 "$COOPBENCH" discover --label "$label" --dry-run
  check_stderr '--label: expected KEY=VALUE, as driver=beta'
done

check_exit 2 "$COOPBENCH" run
check_stderr "run takes one suite, for instance 'coopbench run smoke'"
check_exit 2 "$COOPBENCH" plot
check_stderr 'results/latest'

# Words of the tables.
check_exit 0 "$COOPBENCH" glossary
check_stdout '^recall \(discover\)$'
check_stdout '^The four ways to run an app$'
check_exit 0 "$COOPBENCH" glossary recall 'In time'
check_stdout '^in time \(multitask, preempt\)$'
check "words nobody asked for" test "$(grep -c '^[^ ]' out)" = 2
check_exit 0 "$COOPBENCH" glossary preempt
check_stdout '^slices, away \(preempt\)$'
check_exit 2 "$COOPBENCH" glossary recal
check_stderr 'no table has the word "recal" \(did you mean "recall"\?\)'
check_exit 2 "$COOPBENCH" glossary xyzzy
check_stderr "'coopbench glossary' prints all"
