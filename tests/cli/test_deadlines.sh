#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A run that comes to a standstill is given up after a multiple of what such runs take, and it is told meanwhile what is
# waited for, and until when.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

# Runs of milliseconds, until somebody ends them: its worker is stopped in one of them.
long=(apps --cpu --app bfs --scale tiny --input road --mode specialised --wg-size 64 --stop time --max-time 600
  --max-runs 1000000)
start "${long[@]}" --run-id stopped
wait_for 'runs of the case' measures apps/bfs/specialised/road
kill -STOP "$(worker_of_program)"
check_end 4
check_json results/stopped/run.json '[c["status"] for c in d["cases"]] == ["timeout"]' \
  'float(re.search(r"no answer within ([0-9.]+) s while running", d["cases"][0]["reason"])[1]) < 300'
check_stderr 'apps/bfs/specialised/road  running: [0-9]+ s, given up after [0-9]+ s'

# The deadline that is given stays as it is.
start "${long[@]}" --run-id given --run-deadline 4
wait_for 'runs of the case' measures apps/bfs/specialised/road
kill -STOP "$(worker_of_program)"
check_end 4
check_json results/given/run.json '"no answer within 4 s while running (--run-deadline)" in d["cases"][0]["reason"]'

# Of bc a default run on a CPU is of a part of the sources, and says of which.
python3 -c '
for v in range(3000):
    print(v, (v + 1) % 3000)
    print(v, (v * 7 + 3) % 3000)' >large.el
check_exit 0 "$COOPBENCH" apps --cpu --app bc --verify --mode specialised --input bc=large.el --run-id bc
check_json results/bc/run.json '[c["notes"] for c in d["cases"]] == [["from 222 of 3000 vertices"]]' \
  'metric("*", "work")["median"] <= 2e6'
check_stdout '^- bc \[large\.el\]: from 222 of 3000 vertices$'
check_exit 0 "$COOPBENCH" apps --cpu --app bc --verify --mode specialised --input bc=large.el@3000 --run-id all
check_json results/all/run.json '"notes" not in d["cases"][0]'
