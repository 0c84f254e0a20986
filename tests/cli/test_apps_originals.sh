#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Inputs of the apps by their names, and the papers' own graphs in their place: by --originals, and by a suite that
# names their folder.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
need_cpu

mkdir graphs empty
python3 - <<'PYTHON'
rows = [f"a {v} {v + 1} 3" for v in range(1, 40)] + ["a 1 7 2", "a 1 9 4"]
open("graphs/USA-road-d.W.gr", "w").write("\n".join(["p sp 40 41", *rows, ""]))
open("graphs/1k_128k.gr", "w").write("\n".join(["p sp 40 41", *rows, ""]))
PYTHON

apps() { "$COOPBENCH" apps --cpu --scale tiny --mode specialised --runs 2 --warmup 0 "$@"; }

# Its graph is searched in place of ours; what is not there stays ours.
check_exit 0 apps --app bfs --input auto --originals graphs --json document.json
check_schema run.schema.json document.json
check_json document.json \
  '{c["params"]["input_name"]: c["params"]["input"] for c in d["cases"] if "sizes" not in c["params"]} ==
     {"road-original": "graphs/USA-road-d.W.gr", "rmat": "rmat:14"}' \
  'all(c["status"] == "ok" for c in d["cases"])' \
  'd["invocation"]["settings"]["originals"] == ["graphs"]'
check_stdout '^\| bfs \| USA-road-d.W.gr \(original\) \|'

# The sources of bc, 1024 of them there, are more than this graph has vertices: one clear line.
check_exit 2 apps --app bc --originals graphs
check_stderr '1k_128k.gr@1024'

# A suite names the folder, and an input that is given is what was asked for.
cat >suite.json <<'JSON'
{"schema": "coopbench-config", "schema_version": "1.0", "name": "ours", "settings": {"originals": "graphs"},
 "suite": [{"bench": "apps", "app": ["bfs"], "mode": ["specialised"]},
           {"bench": "multitask", "app": ["bfs"], "input": ["grid:9x9"], "workload": ["light"]}]}
JSON
check_exit 0 "$COOPBENCH" run suite.json --cpu --dry-run
check_stdout '^apps/bfs/specialised/road-original '
check_stdout '^multitask/bfs/light/'
check_exit 0 "$COOPBENCH" run suite.json --cpu --dry-run --filter 'apps/*/rmat*'

for folder in empty nowhere; do
  check_exit 2 apps --app bfs --originals "$folder"
  check_stderr "originals: $folder has none of the papers' graphs: .*USA-road-d.W.*\.mtx\.gz"
done
check_exit 2 apps --app bfs --originals "$(printf '%401d')"
check_stderr 'originals: a folder name of at most 400 characters'

# ---- Own inputs by their names -------------------------------------------------------------------

# On request, and more than one; the name comes before a file of this name.
printf '0 1\n1 0\n' >two.el
: >usa
named=bfs=usa,bfs=uniform,sssp_worklist=uniform,sssp_worklist=rmat
check_exit 0 apps --app bfs,sssp_worklist --variant paper,ours --verify --input $named --json document.json
check_json document.json \
  '[c["params"]["input"] for c in d["cases"] if c["params"]["app"] == "bfs"] == 2 * ["road:20000", "directed:16384x65536"]' \
  'len(d["cases"]) == 8 == d["summary"]["ok"]' \
  'all(c["verification"]["status"] == "pass" for c in d["cases"])'
check_exit 0 apps --app bfs --verify --input two.el,road --json document.json
check_json document.json '[c["params"]["input"] for c in d["cases"]] == ["two.el", "road:20000"]'

# The original of a named one.
cp graphs/USA-road-d.W.gr graphs/USA-road-d.USA.gr
check_exit 0 apps --app bfs --input usa,rmat --originals graphs --json document.json
check_json document.json '{c["params"]["input_name"]: c["params"]["input"] for c in d["cases"]} ==
  {"usa-original": "graphs/USA-road-d.USA.gr", "rmat": "rmat:14"}'

check_exit 2 apps --app bfs --input raod
check_stderr 'input: bfs has no input "raod", and there is no such file: its own are road, rmat, uniform, usa'
check_exit 2 "$COOPBENCH" throttle --cpu --app mis --input rmat
check_stderr 'mis has no input "rmat", .*its own are grid, circuit'
