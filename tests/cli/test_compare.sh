#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# compare: verdicts, exit codes and forms, on runs that are made up; nothing is measured but one
# quick run at the end.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"

# make_run NAME [KEY=VALUE...]: results/NAME with 12 samples, two of each round, of each of 20 cases, time
# and rate. slow=FACTOR: of f/3; device=, driver=, drop=CASE, fail=CASE, seed=, samples=no, rounds=no,
# noise=SHARE, output=FOLDER: what --output-dir was.
make_run() {
  python3 - "$@" <<'PYTHON'
import json, os, random, statistics, sys

name, given = sys.argv[1], dict(a.split("=", 1) for a in sys.argv[2:])
rng = random.Random(int(given.get("seed", 1)))
device = given.get("device", "uuid:aa11")
noise = float(given.get("noise", 0.005))
cases, lines = [], ["case_id,device_id,metric,index,value"]
for i in range(20):
    c = {"id": f"f/{i}/x=1,y=2", "bench": "f", "device": device, "params": {"wg-size": 64}, "order": i,
         "status": "ok", "reason": None, "metrics": []}
    if given.get("drop") == f"f/{i}":
        continue
    cases.append(c)
    if given.get("fail") == f"f/{i}":
        c["status"], c["reason"] = "timeout", "a wait passed its deadline"
        continue
    factor = float(given.get("slow", 1)) if i == 3 else 1
    for metric, unit, better, middle in (("time", "ns", "lower", 1e5 * factor),
                                         ("rate", "ops/s", "higher", 1e6 / factor)):
        samples = [rng.gauss(1, noise) * middle for _ in range(12)]
        s = sorted(samples)
        c["metrics"].append({"name": metric, "unit": unit, "better": better, "primary": False,
                             "n": 12, "median": statistics.median(s), "ci95_low": s[2],
                             "ci95_high": s[9]})
        if given.get("rounds") != "no":
            c["metrics"][-1]["round_medians"] = [sum(samples[k:k + 2]) / 2 for k in range(0, 12, 2)]
        lines += [f'"{c["id"]}",{device},{metric},{k},{v!r}' for k, v in enumerate(samples)]
run = {"schema": "coopbench-run", "schema_version": "1.2", "run_id": name, "complete": True,
       "invocation": {"argv": ["run", "it's.json", "-ff/*", "-qff/*", "-f", "f/*", "--cpu", "--filt", "f/*",
                               "--exclude=g/*", "--filter=f/*", "--runs", "12", "--run-id", name],
                      "settings": {"output-dir": [given.get("output", "results")]}},
       "host": {"cpu": "a processor"}, "cases": cases,
       "devices": [{"id": device, "name": device, "driver_version": given.get("driver", "1")}]}
os.makedirs(f"results/{name}")
json.dump(run, open(f"results/{name}/run.json", "w"))
if given.get("samples") != "no":
    open(f"results/{name}/samples.csv", "w").write("\n".join(lines) + "\n")
PYTHON
}

make_run main seed=1
make_run again seed=2
make_run slow seed=3 slow=1.1
ln -s again results/latest

# --- The same build, and a slow one ---------------------------------------------------------------

check_exit 0 "$COOPBENCH" compare --baseline main
check_stdout '^again compared with main: 40 same$'
check "something on standard error" test ! -s err
check_exit 0 "$COOPBENCH" compare --baseline results/main results/again/run.json --fail-on inconclusive

check_exit 5 "$COOPBENCH" compare --baseline main slow --json slow.json --csv slow.csv --markdown slow.md
check_stdout '^slow compared with main: 2 regressions, 38 same$'
check_stdout 'regression +\|.*\| time +\| f/3/x=1,y=2 '
check_stdout 'regression +\|.*\| rate +\| f/3/x=1,y=2 '
check_json slow.json 'd["exit_code"] == 5' 'd["summary"]["regression"] == 2' \
  'd["comparisons"][0]["case"] == "f/3/x=1,y=2"' 'd["comparisons"][0]["method"] == "rounds"' \
  '{c["metric"] for c in d["comparisons"] if c["verdict"] == "regression"} == {"time", "rate"}' \
  'all(abs(abs(c["change"]) - 0.1) < 0.03 for c in d["comparisons"][:2])'
check_schema compare.schema.json slow.json
check "Markdown has no table" grep -q '^| regression ' slow.md
check "CSV has not 41 lines" test "$(wc -l <slow.csv)" = 41
check "CSV does not quote" grep -q '^regression,uuid:aa11,f,"f/3/x=1,y=2",time,ns,lower,12,' slow.csv
check_exit 0 "$COOPBENCH" compare --baseline slow main # an improvement never fails
check_stdout '^main compared with slow: 2 improvements, 38 same$'
check_exit 0 "$COOPBENCH" compare --baseline main slow --fail-on none

check_exit 0 "$COOPBENCH" compare --baseline main again --of best
check_stdout '^40 comparisons are of medians: one side has less than 5 rounds with their best samples'

# Thresholds: of all metrics, of one; filters.
check_exit 0 "$COOPBENCH" compare --baseline main slow --threshold 15%
check_exit 5 "$COOPBENCH" compare --baseline main slow --threshold 15% --threshold 'ra*=5%'
check_stdout ': 1 regression, 39 same$'
check_exit 0 "$COOPBENCH" compare --baseline main slow --exclude 'f/3/*'
check_exit 5 "$COOPBENCH" compare --baseline main slow --filter 'f/3/*' --metric time
check_stdout ': 1 regression$'
# A comma is part of an id; several globs are several options, as in the configuration.
check_exit 5 "$COOPBENCH" compare --baseline main slow --filter 'f/3/x=1,y=2' --filter 'f/4/x=1,*' --metric time
check_stdout ': 1 regression, 1 same$'
check_exit 0 "$COOPBENCH" compare --baseline main slow --exclude 'f/3/x=1,y=2'
check_exit 2 "$COOPBENCH" compare --baseline main slow --filter 'f/3/*,f/4/*'
check_stderr 'several globs: --filter A --filter B; a comma is part of an id'
for wrong in 0 -5 x time= =5% 5%%; do
  check_exit 2 "$COOPBENCH" compare --baseline main slow --threshold "$wrong"
  check_stderr '^coopbench: --threshold: expected a percentage'
done

# Names of no metric; those of a benchmark that is not in the runs are fine, but compare nothing.
check_exit 2 "$COOPBENCH" compare --baseline main slow --metric tine
check_stderr '^coopbench: --metric: no metric is called "tine" \(did you mean "time"\?\)$'
check_stderr '^  These runs have time, rate$'
check_exit 2 "$COOPBENCH" compare --baseline main slow --metric time --threshold 'op_tme=5%'
check_stderr '^coopbench: --threshold: no metric is called "op_tme" \(did you mean "op_time"\?\)$'
check_exit 128 "$COOPBENCH" compare --baseline main slow --threshold foo=5% --bisect
check_exit 2 "$COOPBENCH" report main slow -o page --threshold foo=5%
check_stderr '^coopbench: --threshold: no metric is called "foo"$'
check_exit 0 "$COOPBENCH" compare --baseline main again --metric 'protocol_time,ra*' --threshold 'longest_*=20%'
check_exit 6 "$COOPBENCH" compare --baseline main slow --metric protocol_time
check_stderr '^coopbench: Nothing was compared, so this gate is off: no case that both sides have has a metric that fits --metric'

# Forms
check_exit 5 "$COOPBENCH" compare --baseline main slow --format github
check_stdout '^::error file=results/slow/run.json,title=regression%3A f/3/x=1%2Cy=2::time \+.* %25$'
check_stdout '^::notice title=coopbench compare::2 regressions, 38 same$'
check_exit 5 "$COOPBENCH" compare --baseline main slow --json -
check_json out 'd["summary"]["same"] == 38'

# --- What cannot be compared ----------------------------------------------------------------------

make_run other device=uuid:bb22
check_exit 6 "$COOPBENCH" compare --baseline main other --json other.json
check_stdout ': 20 incomparable$'
check_stdout 'the device was uuid:aa11, is uuid:bb22'
check_stderr '^coopbench: Nothing was compared, so this gate is off: 20 of 20 comparisons are incomparable: the device was'
check_stderr '^  Measure the baseline again in the circumstances of other, or allow what differs$'
check_schema compare.schema.json other.json
check_json other.json 'd["gate_off"].startswith("Nothing was compared")' 'd["exit_code"] == 6'
check_exit 6 "$COOPBENCH" compare --baseline main other --format github
check_stdout '^::error title=coopbench compare::Nothing was compared.*%0A  Measure'
check_exit 0 "$COOPBENCH" compare --baseline main other --fail-on none
check_exit 6 "$COOPBENCH" compare --baseline main other --fail-on inconclusive
check_exit 0 "$COOPBENCH" compare --baseline main other --fail-on inconclusive --allow-mismatch device
make_run update driver=2
check_exit 6 "$COOPBENCH" compare --baseline main update --fail-on inconclusive
check_stdout 'driver_version of the device was "1", is "2"'

make_run noisy seed=5 noise=0.2
check_exit 0 "$COOPBENCH" compare --baseline main noisy
check_exit 6 "$COOPBENCH" compare --baseline main noisy --fail-on inconclusive
check_stdout "^  coopbench run 'it'\\\\''s.json' --cpu '--exclude=g/\*' --runs 12 --filter 'f/.*/x=1,y=2.*' --rounds [0-9]+$"

make_run less drop=f/7
check_exit 0 "$COOPBENCH" compare --baseline main less
check_stdout ': 1 missing, 38 same$'
check_exit 6 "$COOPBENCH" compare --baseline main less --fail-on missing
check_exit 0 "$COOPBENCH" compare --baseline less main --fail-on missing,inconclusive
check_stdout ': 1 new, 38 same$'
make_run broken fail=f/7
check_exit 5 "$COOPBENCH" compare --baseline main broken
check_stdout '^broken compared with main: 1 failed, 38 same$'

# Several baselines: one that is slow as well makes the change as large as their own differences.
for i in 3 4 5; do
  make_run "other-$i" seed="1$i"
done
check_exit 5 "$COOPBENCH" compare --baseline main,again --baseline other-3 other-4 --baseline other-5 slow
check_stdout '^slow compared with main, again, other-3, other-5, other-4: 2 regressions, 38 same$'
check_exit 5 "$COOPBENCH" compare --baseline results/main results/again results/other-* results/slow
check_exit 0 "$COOPBENCH" compare --baseline main,again,other-3 latest
check_exit 0 "$COOPBENCH" compare --baseline main,other-3,slow slow
check_stdout ': 2 inconclusive, 38 same$'

# --- One process ----------------------------------------------------------------------------------

# However different the samples are: no verdict, and how to get one.
make_run single seed=6 rounds=no
make_run double seed=7 rounds=no slow=2
check_exit 6 "$COOPBENCH" compare --baseline single double --json single.json --csv single.csv
check_stdout '^double compared with single: 40 inconclusive$'
check_stdout '^\| inconclusive \| +\+10[0-9] % \| +\| +\| .*\| one process a side cannot tell +\|$'
check_stdout "^  coopbench run 'it'\\\\''s.json' '-ff/\*' .*--runs 12 --rounds 10 --run-id before$"
check_stdout "^  coopbench run 'it'\\\\''s.json' '-ff/\*' .*--runs 12 --rounds 10 --run-id after$"
check_stdout '^  coopbench compare --baseline before after$'
check_stderr '^coopbench: Nothing was compared, so this gate is off: 40 of 40 comparisons have one process on a side'
check_schema compare.schema.json single.json
check_json single.json 'd["gate_off"].endswith("--rounds 10")' \
  'all(c["reason"] == "one_process" and c["rounds_to_decide"] == 10 for c in d["comparisons"])' \
  'not any(key in c for c in d["comparisons"] for key in ("p", "p_adjusted", "change_low", "method"))' \
  '"--rounds 10" in d["comparisons"][0]["command"]' 'd["comparisons"][0]["change"] > 0.9'
check "CSV has numbers that there are not" test "$(grep -ic nan single.csv)" = 0
check_exit 6 "$COOPBENCH" compare --baseline main double
make_run elsewhere seed=8 rounds=no output="it's there"
check_exit 6 "$COOPBENCH" compare --baseline single elsewhere --markdown elsewhere.md
check_stdout "^  coopbench compare -o 'it'\\\\''s there' --baseline before after$"
check "Markdown's command looks elsewhere" \
  grep -qFx -- "- \`coopbench compare -o 'it'\\''s there' --baseline before after\`" elsewhere.md
check_exit 0 "$COOPBENCH" compare --baseline single double --fail-on none
check_exit 125 "$COOPBENCH" compare --baseline single double --bisect
check_exit 6 "$COOPBENCH" compare --baseline single double --format markdown
check_stdout "^- .coopbench run 'it'.* --rounds 10 --run-id before.$"

# Earlier runs of one process each tell where one more may lie, from three on.
for i in 1 2 3 4 5; do
  make_run "single-$i" seed="2$i" rounds=no
done
check_exit 5 "$COOPBENCH" compare --baseline single-1 single-2 single-3 single-4 single-5 double --json runs.json
check_stdout ': 2 regressions, 38 same$'
check_stdout '^40 changes are those of the run from the mean of 5 baselines'
check_schema compare.schema.json runs.json
check_json runs.json 'all(c["method"] == "runs" for c in d["comparisons"])'
check_exit 0 "$COOPBENCH" compare --baseline single-1 single-2 single-3 single-4 single-5 single

# --- git bisect run -------------------------------------------------------------------------------

check_exit 0 "$COOPBENCH" compare --baseline main again --bisect
check_exit 1 "$COOPBENCH" compare --baseline main slow --bisect
for skipped in other noisy broken less nowhere; do
  check_exit 125 "$COOPBENCH" compare --baseline main $skipped --bisect
done
check_exit 128 "$COOPBENCH" compare --baseline nowhere main --bisect
check_exit 128 "$COOPBENCH" compare --baseline main again --bisect --treshold 5

# --- Bad input ------------------------------------------------------------------------------------

# An edited document: its samples are not those of the summary any more, the intervals still tell.
cp -r results/again results/edited
sed -i 's/"run_id": "again"/"run_id": "edited"/' results/edited/run.json
python3 - <<'PYTHON'
import json
from documents import scale
d = json.load(open("results/edited/run.json"))
m = d["cases"][4]["metrics"][0]
scale(m, 1.2)
m["round_medians"] = [1.2 * value for value in m["round_medians"]]
json.dump(d, open("results/edited/run.json", "w"))
PYTHON
check_exit 5 "$COOPBENCH" compare --baseline main edited --json edited.json
check_stdout '^edited: 1 of its 40 metrics do not agree with samples.csv'
check_json edited.json 'd["comparisons"][0]["case"] == "f/4/x=1,y=2"'
make_run summary samples=no slow=1.1
check_exit 5 "$COOPBENCH" compare --baseline main summary
check_stdout '^summary: no samples beside its run.json'

mkdir results/cut
head -c 700 results/main/run.json >results/cut/run.json
check_exit 2 "$COOPBENCH" compare --baseline cut
check_stderr 'results/cut/run.json:1:[0-9]+: not valid JSON'
sed -i 's/"schema_version": "1.2"/"schema_version": "0.3"/' results/update/run.json
check_exit 2 "$COOPBENCH" compare --baseline main update
check_stderr 'schema_version "0.3"; this program reads 1.x'
sed 's/"id": "f/"id": "g/g' results/main/run.json >stranger.json
check_exit 2 "$COOPBENCH" compare --baseline main stranger.json
check_stderr 'no case in common'
check_exit 2 "$COOPBENCH" compare --baseline main --filter 'nothing*'
check_exit 2 "$COOPBENCH" compare
check_stderr 'compare with which run\?'
check_exit 2 "$COOPBENCH" compare --baseline main --json /nowhere/x
check_exit 0 "$COOPBENCH" compare --help
check_stdout 'git bisect run'

# --- Many cases -----------------------------------------------------------------------------------

# Ten times as many take ten times as long, give or take what a busy machine does to processor time.
cat >large.py <<'PYTHON'
import copy, json, os, random, sys
base = json.load(open("results/main/run.json"))
case = base["cases"][0]
case["metrics"] = case["metrics"][:1]
for n, seed in (2000, 1), (2000, 2), (20000, 1), (20000, 2):
    random.seed(seed)
    folder = f"results/{n}-{seed}"
    os.makedirs(folder)
    base["run_id"], base["cases"] = f"{n}-{seed}", []
    with open(folder + "/samples.csv", "w") as samples:
        samples.write("case_id,device_id,metric,index,value\n")
        for i in range(n):
            values = sorted(random.gauss(1000, 60) for _ in range(9))
            metric = {**case["metrics"][0], "n": 9, "median": values[4], "ci95_low": values[1], "ci95_high": values[7],
                      "round_medians": values}
            id = f"{case['id']},i={i}"
            base["cases"].append({**case, "id": id, "metrics": [metric]})
            for k, value in enumerate(values):
                samples.write(f'"{id}",{case["device"]},{metric["name"]},{k},{value!r}\n')
    open(folder + "/run.json", "w").write(json.dumps(base)) # several times as fast as json.dump
PYTHON
python3 large.py
# cpu_time COMMAND...: sets ms to the time that processors worked for it.
cpu_time() {
  local TIMEFORMAT='%U %S'
  { time "$@" >/dev/null 2>&1; } 2>spent
  ms=$(awk '{ print int(1000 * ($1 + $2)) + 1 }' spent)
}
for command in 'compare --format none --json large.json --baseline' 'report -o page'; do
  read -ra words <<<"$command"
  cpu_time "$COOPBENCH" "${words[@]}" results/2000-1 results/2000-2
  small=$ms
  cpu_time "$COOPBENCH" "${words[@]}" results/20000-1 results/20000-2
  check "coopbench ${words[0]}: 2,000 cases take $small ms, 20,000 take $ms ms" \
    test "$ms" -lt $((40 * small)) -a "$ms" -lt 10000
done
check_json large.json 'len(d["comparisons"]) == 20000 == sum(d["summary"].values())' \
  'all(c["method"] == "rounds" for c in d["comparisons"])' \
  'any("command" in c for c in d["comparisons"])'
check "not all cases in the page" test "$(grep -o '"f/[^"]*,i=[0-9]*"' page/report.html | wc -l)" = 40000

# --- A real run -----------------------------------------------------------------------------------

need_cpu
check_exit 0 "$COOPBENCH" discover --cpu --protocol lockfree --microbenchmark 11 --wg-sizes none --bound off --runs 10 -q -o real \
  --run-id one
check_exit 6 "$COOPBENCH" compare -o real --baseline one one --fail-on missing
check_stdout '^one compared with one: [0-9]+ inconclusive$'
check_stdout '^  coopbench discover --cpu .* --runs 10 -q -o real --rounds 10 --run-id after$'
