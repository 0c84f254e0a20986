#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Folders and files whose names have spaces, and what is special to shells, gnuplot and glob(): nothing
# takes them apart.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

odd="it's a [folder] \$HOME *"
mkdir "$odd" "$odd/bin"
cp "$COOPBENCH" "$odd/bin/the program"
cd "$odd"
program=$PWD/bin/the\ program
copy_sources 'the sources'
export COOPBENCH_PROFILE_DIR=$PWD/'the profiles' COOPBENCH_CACHE_DIR=$PWD/'the cache' COOPBENCH_KERNEL_DIR=$PWD/'the sources'

cat >'the suite.json' <<'JSON'
{"schema": "coopbench-config", "schema_version": "1.0", "settings": {"cpu": true, "order": "listed"},
 "suite": [{"bench": "discover", "protocol": "lockfree", "microbenchmark": ["11", "L1"],
            "wg-sizes": "none", "bound": "off", "launch": 16, "runs": 9}]}
JSON
measure=("$program" run 'the suite.json' --output-dir 'the results')
check_exit 0 "${measure[@]}" --run-id first --json 'the document.json' --csv 'the rows.csv'
check_stdout '^Results: the results/first '
check_json 'the document.json' 'd["complete"] and d["summary"]["ok"] == 2'
check "no rows" test "$(grep -c '^first,' 'the rows.csv')" -ge 2
check_exit 0 "${measure[@]}" --resume 'the results/first'
check_stderr '^0 cases to be run, 2 kept of the results/first'
check_exit 0 "${measure[@]}" --resume first # by its name there
check_exit 0 "${measure[@]}" --rounds 2 --run-id second -q
check_json 'the results/second/run.json' 'd["complete"] and d["rounds"] == 2 == d["summary"]["ok"]'

check_exit 0 "$program" compare --baseline 'the results/first' 'the results/second' --fail-on none \
  --markdown 'the comparison.md'
check "no comparison" grep -q 'second' 'the comparison.md'
check_exit 0 "$program" report 'the results' -o 'the page'
check_stdout '^the page/report.html$'
check "no page" grep -q 'discover/lockfree/11' 'the page/report.html'
check_exit 0 "$program" export --to junit 'the results/first'
check "no export" grep -q 'testsuite' out

if command -v gnuplot >/dev/null; then
  check_exit 0 "$program" discover --cpu --protocol lockfree --microbenchmark 11 --wg-sizes 8,32 --runs 2 \
    --output-dir 'the results' --run-id sizes
  check_exit 0 "$program" plot 'the results/sizes' -o 'the pictures'
  check_stdout '^the pictures/fig8.svg$'
  check "no picture" grep -q '</svg>' 'the pictures/fig8.svg'
fi

# A graph, a workload and the traces of the tasks beside it.
mkdir 'the graphs'
printf 'p sp 3 2\na 1 2 4\na 2 3 5\n' >'the graphs/a path.gr'
echo '{"schema": "coopbench-workload", "name": "now", "period_ms": 16, "duration_ms": 1}' >'the workload.json'
check_exit 0 "$program" multitask --cpu --app bfs --input 'the graphs/a path.gr' --workload 'the workload.json' \
  --barrier atomic --groups 1 --tasks 2 --runs 1 --warmup 0 --wait-deadline 2000 --trace 'the traces' \
  --output-dir 'the results' --run-id tasks
check "no trace" grep -q '^# of the run the results/tasks$' 'the traces'/*.tsv
check_exit 0 "$program" memory --cpu --runs 2 --warmup 0 --accesses 300 --groups 1,N --contention \
  contentious,noncontentious,hostage --access volatile,atomic --distances 4,4096 --output-dir 'the results'
check "no profile" grep -q '"memory"' 'the profiles'/*.json
cd "$folder"
check "something was written elsewhere" test "$(find . -maxdepth 1 -mindepth 1 ! -name out ! -name err ! -name filtered | wc -l)" = 1
