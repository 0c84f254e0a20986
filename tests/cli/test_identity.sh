#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# An input is its contents: the same graph under other paths compares, another one under the same path does not.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"

need_cpu

# ring N: an edge list of a ring, with a chord from each fifth vertex.
ring() {
  python3 -c 'import sys
n = int(sys.argv[1])
for v in range(n):
    print(v, (v + 1) % n)
    if v % 5 == 0: print(v, (v + n // 2) % n)' "$1"
}

# measure RUN INPUT: one run of bfs.
measure() {
  check_exit 0 "$COOPBENCH" apps --cpu --app bfs --mode specialised --runs 1 --wg-size 64 --run-id "$1" \
    --input "bfs=$2"
}

# input_of RUN: what its case has read.
input_of() {
  python3 -c 'import json, sys
i = json.load(open(f"results/{sys.argv[1]}/run.json"))["cases"][0]["inputs"]["input"]
print(i["vertices"], i["edges"], i["hash"])' "$1"
}

# verdicts BASELINE RUN: the different ones; and what stands beside them.
verdicts() {
  "$COOPBENCH" compare --baseline "$1" "$2" --fail-on none --json - 2>err >compared.json || true
  python3 -c 'import json
d = json.load(open("compared.json"))
print(sorted({c["verdict"] for c in d["comparisons"]}), sorted({c.get("detail") or "" for c in d["comparisons"]}))'
}

mkdir -p a b
ring 34 >a/g.el
cp a/g.el b/g.el
cp a/g.el other.el
gzip -k other.el
awk '{print $2, $1}' other.el >turned.el # as large, and another one

# ---- One graph under several paths -----------------------------------------------------------------------------------

measure before a/g.el
check_stdout 'a/g\.el +\| 34 vertices, 41 edges'
check 'report.md tells what was read' grep -Eq 'a/g\.el +\| 34 vertices, 41 edges' results/before/report.md
[[ $(input_of before) == '34 41 '* ]] || fail "run.json tells $(input_of before)"
check_schema run.schema.json results/before/run.json
measure absolute "$PWD/b/g.el"
measure compressed other.el.gz
for id in absolute compressed; do
  [[ $(input_of "$id") == "$(input_of before)" ]] || fail "$id: $(input_of "$id"), not $(input_of before)"
  [[ $(verdicts before "$id") != *incomparable* && $(verdicts before "$id") != *"'missing'"* ]] ||
    fail "$id: $(verdicts before "$id")"
done

# ---- Several graphs under one path -----------------------------------------------------------------------------------

ring 1000 >a/g.el
measure larger a/g.el
larger='input g.el: 34 vertices, 41 edges; is 1000 and 1200 (--allow-mismatch params)'
[[ $(verdicts before larger) == "['incomparable'] ['$larger']" ]] ||
  fail "$(verdicts before larger)"
check_exit 6 "$COOPBENCH" compare --baseline before larger
cp turned.el a/g.el
measure turned a/g.el
[[ $(verdicts before turned) == "['incomparable'] ['"*'41 edges; is as large, but has other contents'* ]] ||
  fail "$(verdicts before turned)"

# A history sees other environments, not changes, in one series of each metric.
check_exit 0 "$COOPBENCH" history results --json history.json
check_json history.json '{c["verdict"] for c in d["changes"]} == {"environment"}' \
  '{c["run"]["id"] for c in d["changes"]} == {"larger", "turned"}' \
  '"34 vertices, 41 edges; is 1000 and 1200" in json.dumps(d)'

# A run that does not tell goes by the path.
python3 - <<'PYTHON'
import json, os
run = json.load(open("results/before/run.json"))
for c in run["cases"]:
    del c["inputs"]
os.makedirs("results/old")
json.dump(run, open("results/old/run.json", "w"))
PYTHON
[[ $(verdicts old turned) != *incomparable* ]] || fail "$(verdicts old turned)"
[[ $(verdicts old absolute) == "['incomparable']"* ]] || fail "$(verdicts old absolute)"

# ---- Rounds ----------------------------------------------------------------------------------------------------------

# The second round reads another graph: this program changes it before it measures.
cat >changes.sh <<SCRIPT
#!/usr/bin/env bash
[[ \$* != *--run-id\ 2* ]] || cp "$PWD/other.el" "$PWD/a/g.el"
exec "$COOPBENCH" "\$@"
SCRIPT
chmod +x changes.sh
check_exit 1 "$COOPBENCH" apps --cpu --app bfs --mode specialised --runs 1 --wg-size 64 --rounds 2 --run-id joined \
  --input bfs=a/g.el --interleave ./changes.sh
check_json results/joined-a/run.json '[c["status"] for c in d["cases"]] == ["error"]' \
  'd["cases"][0]["reason"].startswith("round 2: input a/g.el: 34 vertices")'
check_schema run.schema.json results/joined-a/run.json

# ---- Two files of one name -------------------------------------------------------------------------------------------

check_exit 2 "$COOPBENCH" apps --cpu --app bfs --mode specialised --dry-run --input bfs=a/g.el,bfs=b/g.el
check_stderr 'a/g\.el and b/g\.el are both called g\.el: give one of them another name'
check_exit 2 "$COOPBENCH" apps --cpu --app bfs --mode specialised --dry-run --input bfs=a/g.el,bfs=a/g.el
check_stderr 'is planned twice: name each value once'
