#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs for Prometheus and for Apache Otava, as those read them. Needs no device: nothing is measured.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
fixture=$SOURCE_DIR/tests/fixtures/export/run.json
reference=$SOURCE_DIR/results/reference
export_to() { "$COOPBENCH" export --to "$@"; }
read_metrics() { python3 "$SOURCE_DIR/tests/consumers/openmetrics.reader.py" "$@"; }
read_otava() { python3 "$SOURCE_DIR/tests/consumers/otava.reader.py" "$@"; }

# --- Prometheus -----------------------------------------------------------------------------------
mkdir metrics
check_exit 0 export_to openmetrics -o metrics/made.prom "$fixture"
check_exit 0 export_to openmetrics -o metrics/gpu.prom "$reference/nvidia-h200/discover"
check_exit 0 export_to openmetrics -o metrics/cpu.prom "$reference/pocl-3.1/primitives"
check_exit 0 export_to openmetrics -o metrics/two.prom "$reference"/nvidia-h200/discover "$reference"/pocl-3.1/primitives
for file in metrics/*; do
  check_exit 0 read_metrics "$file"
done
check_exit 0 read_metrics metrics/gpu.prom
gpu='"Hostname": "h200", "UUID": "GPU-f56e06a1-dfc5-927f-40d0-75a5506e2dbe"'
check_stdout "^coopbench_device_info \{$gpu, \"driver_version\": .*\"pci_bus_id\": \"00000000:00:06.0\"\} 1.0$"
check_stdout "^coopbench_discover_protocol_time_seconds \{$gpu, \"case\": \"discover/ticket/11/"
# A case that is not ok has a state and no value.
check_exit 0 read_metrics metrics/made.prom
check_stdout '^coopbench_case_state .*"case": "discover/spin/11/delay=0".*"state": "timeout"\} 1.0$'
check_stdout '^coopbench_discover_protocol_time_seconds .*"case": "discover/ticket/11/delay=0".* 1.5e-06$'
check "a value of a case that is not ok" test "$(grep -c '"case": "discover/spin/11/delay=0"' out)" = 1
check "an empty file folder" test "$(find metrics -type f | wc -l)" = 4
check_exit 2 export_to openmetrics "$fixture" "$fixture"
check_stderr 'there are two of coopbench_case_state.*one by one'

if command -v promtool >/dev/null; then
  for file in metrics/*; do
    check_exit 0 promtool check metrics <"$file"
    check "promtool complains of $file" test ! -s err
  done
else
  echo "skipped: promtool (Debian's package prometheus has it)"
fi
if /usr/bin/python3 -c 'import prometheus_client.openmetrics' 2>/dev/null; then
  cat >clients.py <<'PYTHON'
import sys
from prometheus_client import openmetrics, parser
from prometheus_client.openmetrics import parser as openmetrics
text = open(sys.argv[1], encoding="utf-8").read()
count = lambda families: sum(len(family.samples) for family in families)
print(count(openmetrics.text_string_to_metric_families(text)), count(parser.text_string_to_metric_families(text)))
PYTHON
  for file in metrics/*; do
    samples=$(grep -vc '^#' "$file")
    check_exit 0 /usr/bin/python3 clients.py "$file"
    check_stdout "^$samples $samples$"
  done
else
  echo "skipped: Prometheus' Python client (Debian's package python3-prometheus-client)"
fi

# A scraper never sees half a file: it is replaced in one step, or stays as it is.
printf 'old\n' >metrics/kept.prom
chmod 640 metrics/kept.prom
ln -s kept.prom metrics/link.prom
check_exit 1 bash -c 'ulimit -f 1; "$@"' full "$COOPBENCH" export --to openmetrics -o metrics/kept.prom "$fixture"
check_stderr '^coopbench: -o: cannot write metrics/kept.prom: '
check "a full disk has taken the old file" grep -qx old metrics/kept.prom
exec 3<metrics/kept.prom
check_exit 0 export_to openmetrics -o metrics/link.prom "$fixture"
check "the old file was overwritten" grep -qx old <&3
exec 3<&-
check "the new file" cmp -s metrics/kept.prom metrics/made.prom
check "the link is gone" test -L metrics/link.prom
check "another mode" test "$(stat -c %a metrics/kept.prom)" = 640
check "something half-written is left" test "$(find metrics -name '*.tmp' | wc -l)" = 0
check_exit 0 bash -c '"$1" export --to openmetrics -o /dev/stdout "$2" | cmp - metrics/made.prom' piped "$COOPBENCH" "$fixture"

# --- Apache Otava ---------------------------------------------------------------------------------
# make_run NAME START FACTOR [FAILED]: the fixture as another run; FAILED: of what all cases have died.
make_run() { python3 - "$fixture" "$@" <<'PYTHON'; }
import json, os, sys
from documents import scale
fixture, name, start, factor, *failed = sys.argv[1:]
run = json.load(open(fixture))
run["run_id"], run["time"]["start"] = name, start
run["cases"] = run["cases"][:2] + [c for c in run["cases"][2:] if c["status"] != "ok"]
for case in run["cases"]:
    if failed and case["status"] == "ok":
        case.update(status=failed[0], metrics=[])
    for metric in case["metrics"]:
        scale(metric, float(factor))
os.makedirs(f"runs/{name}")
json.dump(run, open(f"runs/{name}/run.json", "w"))
PYTHON
# The order is that of the times, not of the names; a clock that is set back is no other order than that.
make_run a 2026-11-03T00:00:00Z 3
make_run b 2026-11-01T00:00:00Z 1
make_run c 2026-11-02T00:00:00Z 2
make_run d 2026-11-02T12:00:00Z 2 crashed
check_exit 0 export_to otava -o history.csv runs
check "a note about nothing" test ! -s err
check_exit 0 read_otava history.csv
check "the points: $(cat out)" test "$(cut -d ' ' -f 1-4 out | tr '\n' ' ')" = \
  "1793491200 abcdef012345 b ci7 1793577600 abcdef012345 c ci7 1793664000 abcdef012345 a ci7 "
check_exit 0 head -n 1 history.csv
check_stdout '^time,commit,run_id,host,(.*,)?example-gpu/discover/ticket/11/delay=0/protocol_time(,|$)'
check "a metric of which no way is better" bash -c '! grep -q groups_bound out'
# What a run lacks is no column: Otava wants a number in each line.
python3 - <<'PYTHON'
import json
run = json.load(open("runs/c/run.json"))
run["cases"][0]["metrics"] = run["cases"][0]["metrics"][:1]
json.dump(run, open("runs/c/run.json", "w"))
PYTHON
check_exit 0 export_to otava -o history.csv runs
check_stderr '^Note: [1-9][0-9]* metrics? .* left out: otava needs a value in each$'
check_exit 0 read_otava history.csv
check_exit 0 export_to otava -o history.csv "$reference/pocl-3.1/primitives"
check_exit 0 read_otava history.csv
# Bad input.
make_run e "" 1
check_exit 2 export_to otava -o new.csv runs
check_stderr 'run e does not say when it began'
check_exit 2 export_to otava -o new.csv "$reference/pocl-3.1/primitives" "$reference/pocl-3.1/discover"
check_stderr 'no metric in common'
check_exit 2 export_to otava -o new.csv runs/d
check_stderr 'nothing to export to otava'
check "a file for nothing" test ! -e new.csv
